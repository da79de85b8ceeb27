// Small helpers for building the page.

export const byId = (name) => document.getElementById(name);

/// An element with attributes and children. `class`, `text` and listeners (`onclick`) work as well.
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/// The same for SVG.
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/// Says something to screen readers; what is said twice in a row is said once.
export function announce(text) {
  const region = byId("live");
  if (region.textContent !== text) region.textContent = text;
}

/// Tells people what went wrong, or that nothing is wrong any more.
export function complain(error) {
  if (error?.name === "AbortError") return;
  byId("error").textContent = error ? error.message : "";
}
