// Sends a picture to the calendar and returns it as the interface describes it, or null when it was refused.

export async function upload(file) {
  const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
  try {
    const response = await fetch(`${meta("kalends-api")}/media`, {
      method: "POST",
      headers: {
        "Content-Type": file.type,
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        "X-Kalends-Token": meta("kalends-token"),
      },
      body: file,
    });
    const answer = await response.json();
    if (response.ok) return answer;
    alert(answer.message);
  } catch {
    alert(navigator.onLine ? file.name : document.body.dataset.offline ?? file.name);
  }
  return null;
}
