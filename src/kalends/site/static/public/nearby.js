// "Near me": requests the location only on click, and rounds it to about a kilometre before it goes into the address.

const button = document.getElementById("nearby");

function submit(form, position) {
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
  navigator.geolocation.getCurrentPosition((position) => submit(button.form, position), fail, { timeout: 10_000 });
});
