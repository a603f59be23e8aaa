// Near me: asks the browser for the place when, and only when, the reader asks for it.
// The place is rounded to about a kilometre before it goes into the address.

const button = document.getElementById("nearby");

function place(form, position) {
  form.elements.geoloc_lat.value = position.coords.latitude.toFixed(2);
  form.elements.geoloc_lng.value = position.coords.longitude.toFixed(2);
  form.requestSubmit();
}

button?.addEventListener("click", () => {
  const failed = document.getElementById("nearby-failed");
  const fail = () => {
    failed.hidden = false;
    button.disabled = false;
  };
  failed.hidden = true;
  if (!navigator.geolocation) return fail();
  button.disabled = true;
  navigator.geolocation.getCurrentPosition((position) => place(button.form, position), fail, { timeout: 10_000 });
});
