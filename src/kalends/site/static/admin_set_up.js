// Guesses the time zone and the country from the browser, where nobody has chosen them yet.

const choose = (name, value) => {
  const field = document.getElementById(`field-${name}`);
  if (field && !field.disabled && value && [...field.options].some((option) => option.value === value)) {
    field.value = value;
  }
};

const zone = document.querySelector(".guess select");
if (zone && zone.value === "UTC") choose("timezone", Intl.DateTimeFormat().resolvedOptions().timeZone);
const country = document.getElementById("field-country");
if (country && !country.value) choose("country", new Intl.Locale(navigator.language).region);
