// The time of an event on the reader's own clock, when that is another one.

const yours = document.getElementById("yours");

/** The minutes by which a written time is ahead of UTC: "2027-03-10T09:00:00-05:00" is -300. */
function offset(written) {
  const [, sign, hours, minutes] = written.match(/([+-])(\d\d):(\d\d)$/) ?? [null, "+", 0, 0];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

if (yours) {
  const start = new Date(yours.dataset.start);
  const end = new Date(yours.dataset.end);
  const differs = offset(yours.dataset.start) !== -start.getTimezoneOffset();
  if (differs || offset(yours.dataset.end) !== -end.getTimezoneOffset()) {
    const form = new Intl.DateTimeFormat(document.documentElement.lang, {
      weekday: "short",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
    });
    yours.querySelector("time").textContent = form.formatRange(start, end);
    yours.hidden = false;
  }
}
