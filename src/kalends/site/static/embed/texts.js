// Sentences and date formats of one language.

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ku|ps|sd|ug|ur|yi)\b/i;

/** How the reader's region writes a language: "en-GB" where the page says "en". */
const inRegion = (tag) => navigator.languages.find((one) => one.split("-")[0] === tag) ?? tag;

class Texts {
  constructor(wanted) {
    let locale;
    try {
      locale = new Intl.Locale(wanted.replaceAll("_", "-"));
    } catch {
      locale = new Intl.Locale("en");
    }
    const known = Object.keys(SITE.words);
    const named = [locale.baseName, locale.language].map((name) => name.toLowerCase());
    const found =
      named.map((name) => known.find((tag) => tag.toLowerCase() === name)).find(Boolean) ??
      known.find((tag) => tag.split("-")[0] === locale.language);
    this.sentences = SITE.words[found ?? "en"];
    this.tag = locale.baseName;
    this.direction = RIGHT_TO_LEFT.test(this.tag) ? "rtl" : "ltr";
    const week = locale.getWeekInfo?.() ?? locale.weekInfo;
    this.firstWeekday = (SITE.firstWeekday ?? week?.firstDay ?? SITE.firstWeekdays[found] ?? 1) % 7;
    this.locale = new Intl.Locale(locale.baseName, { numberingSystem: "latn", calendar: "gregory" });
    this.formats = new Map();
  }

  say(name, values = {}) {
    return this.sentences[name].replace(/\{(\w+)\}/g, (_, key) => this.number(values[key]));
  }

  number(value) {
    return value.toLocaleString(this.locale);
  }

  format(parts) {
    const key = JSON.stringify(parts);
    if (!this.formats.has(key)) {
      this.formats.set(key, new Intl.DateTimeFormat(this.locale, { ...parts, timeZone: "UTC" }));
    }
    return this.formats.get(key);
  }

  write(text, parts) {
    return this.format(parts).format(moment(text));
  }

  range(first, last, parts) {
    return this.format(parts).formatRange(moment(first), moment(last));
  }

  /** `Wednesday, March 10, 2027`. */
  day(day) {
    return this.write(day, { dateStyle: "full" });
  }

  time(text) {
    return this.write(text, { timeStyle: "short", ...SITE.clock });
  }

  /** The heading of a view. */
  title(view, day) {
    if (view === "list") return this.say("upcoming");
    if (view === "day") return this.day(day);
    if (view === "week") {
      const { first, last } = period(view, day, this.firstWeekday);
      return this.range(first, last, { dateStyle: "long" });
    }
    const written = this.write(day, { year: "numeric", month: "long" });
    return written.charAt(0).toLocaleUpperCase(this.tag) + written.slice(1);
  }
}
