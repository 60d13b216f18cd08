const METHODS = [
  'append',
  'appendChild',
  'insertAdjacentElement',
  'insertAdjacentHTML',
  'insertBefore',
  'prepend',
  'replaceChild',
  'replaceChildren',
] as const;

const watched = new WeakMap<Document, (element: Element) => string>();

/**
 * Returns a function with the call stack that added an element to `<head>` or `<body>`, '' if unknown. It sees the page's own scripts only:
 * scripts of browser extensions have their own copies of these methods.
 */
export function watchInsertions(page: Document): (element: Element) => string {
  const known = watched.get(page);
  if (known) return known;
  const stacks = new WeakMap<Element, string>();
  for (const parent of [page.head, page.body]) for (const method of METHODS) watch(parent, method, stacks);
  const addedBy = (element: Element) => stacks.get(element) ?? '';
  watched.set(page, addedBy);
  return addedBy;
}

function watch(parent: HTMLElement, method: (typeof METHODS)[number], stacks: WeakMap<Element, string>) {
  const own = parent[method] as (...values: unknown[]) => unknown;
  const insert = (...values: unknown[]) => {
    const before = new Set(parent.children);
    const result = own.apply(parent, values);
    const stack = new Error().stack ?? '';
    for (const element of parent.children) if (!before.has(element)) stacks.set(element, stack);
    return result;
  };
  Object.defineProperty(parent, method, { value: insert, configurable: true, writable: true });
}
