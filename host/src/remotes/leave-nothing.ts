import { watchInsertions } from './watch-insertions.ts';

/** Whether a script of the screen's remote is named in a call stack. */
export type OwnsStack = (stack: string) => boolean;

/**
 * Attributes of `<body>` that have an effect of their own. Browser extensions set others, which are none of the screen's business.
 */
const ATTRIBUTES = ['class', 'style', 'inert', 'hidden', 'aria-hidden', 'dir'];

/**
 * Call it when a screen stands. Call what it returns while the screen goes, and what that returns once all of it has gone: whatever
 * the screen has left outside of the frame is taken away. That is elements which the remote's own scripts have added to the page's
 * end (an overlay would lie over all others), style elements and sheets, and what has been set on `<body>`. In between the next screen may have
 * come, whose own things stay. Timers and listeners are out of reach; what they throw is counted as the remote's error.
 */
export function leaveNothing(page: Document, owns: OwnsStack): () => () => void {
  const { body } = page;
  const addedBy = watchInsertions(page);
  const stood = new Set<object>([...elementsOf(page), ...(page.adoptedStyleSheets ?? [])]);
  const attributes = new Map(attributesOf(body));

  return () => {
    const elements = elementsOf(page).filter((one) => !stood.has(one) && owns(addedBy(one)));
    const sheets = (page.adoptedStyleSheets ?? []).filter((one) => !stood.has(one));
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

/** Linked style sheets are the releases' own and stay. */
function elementsOf({ body, head }: Document): Element[] {
  return [...body.children, ...head.querySelectorAll('style')];
}

function attributesOf(body: Element): [name: string, value: string | null][] {
  return ATTRIBUTES.map((name) => [name, body.getAttribute(name)]);
}
