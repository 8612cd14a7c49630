/* The list of versions lies beside their folders, where `scripts/publish_site.py` writes it. A site that
   is opened from a folder, or is published alone, has none: then there is nothing to choose from. */
document.addEventListener("DOMContentLoaded", async () => {
  const place = document.querySelector(".agar-versions");
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  if (!place || !root.protocol.startsWith("http")) return;
  const answer = await fetch(new URL("../versions.json", root));
  if (!answer.ok) return;
  const own = place.dataset.version;
  const choice = place.querySelector("select");
  for (const version of await answer.json()) {
    choice.add(new Option(version, version, version === own, version === own));
  }
  place.hidden = choice.length < 2;
  choice.addEventListener("change", async () => {
    const page = location.href.slice(root.href.length);
    const there = new URL(`../${choice.value}/`, root);
    const same = new URL(page, there);
    // a page that the other version does not have leads to its first one
    const found = await fetch(same, { method: "HEAD" });
    location.href = found.ok ? same.href : there.href;
  });
});
