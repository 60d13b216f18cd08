/** True if a call stack contains a script of the screen's remote. */
export type OwnsStack = (stack: string) => boolean;

/** Attributes of `<body>` that affect the page. Browser extensions set others, which must not be changed. */
const ATTRIBUTES = ['class', 'style', 'inert', 'hidden', 'aria-hidden', 'dir'];

/**
 * Removes what a screen leaves outside of the frame. Call it when the screen is shown, call the returned function while the screen
 * unmounts, and the function returned by that after it is unmounted. Removes elements that the remote's scripts appended to the body (an
 * overlay would cover all other screens), style elements, adopted style sheets, and attributes set on `<body>`. Things of the next screen,
 * which may be mounted in between, stay. Timers and listeners cannot be removed; their errors count as errors of the remote.
 */
export function createScreenCleanup(page: Document, owns: OwnsStack): () => () => void {
  const { body } = page;
  const addedBy = watchInsertions(page);
  const existing = new Set<object>([...elementsOf(page), ...(page.adoptedStyleSheets ?? [])]);
  const attributes = new Map(attributesOf(body));

  return () => {
    const elements = elementsOf(page).filter((one) => !existing.has(one) && owns(addedBy(one)));
    const sheets = (page.adoptedStyleSheets ?? []).filter((one) => !existing.has(one));
    const changed = attributesOf(body).filter(([name, value]) => attributes.get(name) !== value);
    return () => {
      for (const element of elements) element.remove();
      if (sheets.length)
        page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
      for (const [name, value] of changed) {
        if (body.getAttribute(name) !== value) continue;
        const before = attributes.get(name);
        if (before === undefined || before === null) body.removeAttribute(name);
        else body.setAttribute(name, before);
      }
    };
  };
}

/** Linked style sheets are handled by release-styles.ts. */
function elementsOf({ body, head }: Document): Element[] {
  return [...body.children, ...head.querySelectorAll('style')];
}

function attributesOf(body: Element): [name: string, value: string | null][] {
  return ATTRIBUTES.map((name) => [name, body.getAttribute(name)]);
}

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
function watchInsertions(page: Document): (element: Element) => string {
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
