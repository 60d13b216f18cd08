/**
 * Moves the focus when the focused element disappears or can no longer have it and no other element got it: to the heading of the nearest
 * part of the page that is still there. Otherwise nothing would have the focus, screen readers would start at the top of the page, and the
 * keys of the screen would do nothing. Returns a function that ends this.
 */
export function keepFocus(page: Document): () => void {
  /** The focused element and its ancestors, stored because a removed element no longer has them. */
  let path: readonly Element[] = [];
  let isDue = false;
  const follow = ({ target }: Event) => {
    path = target instanceof Element ? ancestorsOf(target) : [];
  };
  // A click beside all controls removes the focus on purpose.
  const press = ({ target }: Event) => {
    if (target instanceof Node && !path[0]?.contains(target)) path = [];
  };
  const check = () => {
    isDue = false;
    const [focused] = path;
    if (focused && page.activeElement === page.body && !canHaveFocus(focused)) placeNear(path, page);
  };
  const observer = new MutationObserver(() => {
    if (isDue || path.length === 0) return;
    isDue = true;
    // Waits for effects of the code that caused this, some of which run in the next frame.
    requestAnimationFrame(() => setTimeout(check));
  });
  const ended = new AbortController();
  const { signal } = ended;
  page.addEventListener('focusin', follow, { signal });
  page.addEventListener('pointerdown', press, { capture: true, signal });
  observer.observe(page.body, { childList: true, attributes: true, subtree: true });
  return () => {
    observer.disconnect();
    ended.abort();
  };
}

function ancestorsOf(element: Element): Element[] {
  const path = [];
  for (let one: Element | null = element; one; one = one.parentElement) path.push(one);
  return path;
}

function canHaveFocus(element: Element): boolean {
  if (!element.isConnected || element.matches(':disabled') || element.closest('[inert], [hidden]'))
    return false;
  return element.checkVisibility?.() ?? true;
}

function placeNear(path: readonly Element[], page: Document): void {
  const screen = path.find((element) => element.matches('main'));
  // Another screen is shown, which takes the focus itself.
  if (screen && !screen.isConnected) return;
  const heading = headingNear(path.slice(1));
  const target = heading ?? page.getElementById('main');
  if (!target) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function headingNear(parts: readonly Element[]): HTMLElement | undefined {
  for (const part of parts) {
    if (!canHaveFocus(part)) continue;
    const heading = part.querySelector<HTMLElement>('h1, h2, h3, h4, legend');
    if (heading && canHaveFocus(heading)) return heading;
    if (part.matches('dialog, main')) return undefined;
  }
  return undefined;
}
