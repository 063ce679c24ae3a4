// Light or dark: as the system says, until a reader chooses.

function buildTheme() {
  document.getElementById("theme").addEventListener("click", () => chooseTheme(darkNow() ? "light" : "dark"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("recoloured")));
}

function darkNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function chooseTheme(theme) {
  document.documentElement.dataset.theme = theme;
  dispatchEvent(new Event("recoloured"));
  document.getElementById("theme").setAttribute("aria-pressed", String(theme === "dark"));
  try {
    localStorage.setItem("formula-eval-theme", theme);
  } catch {
    // A page opened from a file may have no storage: the choice then lasts as long as the page.
  }
}

function rememberedTheme() {
  try {
    const theme = localStorage.getItem("formula-eval-theme");
    if (theme === "light" || theme === "dark") chooseTheme(theme);
  } catch {
    // As above.
  }
}
