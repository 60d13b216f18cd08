/**
 * Call it when a screen stands. Call what it returns while the screen goes, and what that returns once all of it has gone: whatever
 * it has left outside of the frame is taken away. That is elements at the page's end (an overlay would lie over all others), style
 * elements and sheets, and what it has set on `<body>`. In between the next screen may have come, whose own things stay.
 * Timers and listeners are out of reach; what they throw is counted as the remote's error.
 */
export function leaveNothing(page: Document): () => () => void {
  const { body } = page;
  const stood = new Set<object>(outside(page));
  const attributes = new Map(attributesOf(body));

  return () => {
    const left = outside(page).filter((one) => !stood.has(one));
    const changed = attributesOf(body).filter(([name, value]) => attributes.get(name) !== value);
    return () => {
      for (const one of left) if (one instanceof Element) one.remove();
      if (left.some((one) => one instanceof CSSStyleSheet))
        page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !left.includes(sheet));
      for (const [name, value] of changed) {
        if (body.getAttribute(name) !== value) continue;
        const before = attributes.get(name);
        if (before === undefined) body.removeAttribute(name);
        else body.setAttribute(name, before);
      }
    };
  };
}

/** Linked style sheets are the releases' own and stay. */
function outside({ body, head, adoptedStyleSheets }: Document): object[] {
  return [...body.children, ...head.querySelectorAll('style'), ...(adoptedStyleSheets ?? [])];
}

function attributesOf({ attributes }: Element): [name: string, value: string][] {
  return [...attributes].map(({ name, value }) => [name, value]);
}
