/**
 * Lets React update pages that a browser or an extension translates. Translation replaces text nodes of React by elements (`<font>`) or moves
 * them into elements: React then writes into nodes that are no longer in the page, and removing them throws
 * (https://github.com/facebook/react/issues/11538). Call it before anything is rendered.
 *
 * A text that React changes returns to its place, where it is translated again. Where React removes a node, or inserts another one before it,
 * what replaced the node is used instead.
 */
export function tolerateTranslation({ Node, Element, Text, MutationObserver, document }: Page): void {
  /** The elements that have replaced a text node. */
  const replacements = new WeakMap<Node, ChildNode[]>();
  const used = new WeakSet<Node>();
  const isForeign = (node: Node | null): node is Element =>
    node instanceof Element && !used.has(node) && !isReacts(node);

  const noteReplacement = (text: Text, { addedNodes, previousSibling, nextSibling }: MutationRecord) => {
    const beside = [previousSibling, nextSibling].filter(isForeign).slice(0, 1);
    const found = addedNodes.length > 0 ? [...addedNodes].filter(isForeign) : beside;
    if (found.length === 0) return;
    for (const element of found) used.add(element);
    replacements.set(text, found);
    observer.observe(text, { characterData: true });
  };
  const observer = new MutationObserver((records) => {
    for (const record of records)
      if (record.type === 'characterData') {
        const [first, ...others] = placed(record.target);
        if (record.target instanceof Text) first?.replaceWith(record.target);
        for (const element of others) element.remove();
      } else
        for (const node of record.removedNodes)
          if (node instanceof Text && !node.parentNode) noteReplacement(node, record);
  });
  observer.observe(document.body, { childList: true, subtree: true });

  /** The nodes in the page that have replaced `node`, or `node` itself. */
  const placed = (node: Node, parent?: Node): ChildNode[] =>
    (replacements.get(node) ?? []).filter(
      ({ parentNode }) => parentNode && parentNode === (parent ?? parentNode),
    );
  /** The child of `parent` that contains `node`. */
  const wrapper = (node: Node, parent: Node): Node | undefined => {
    let at: Node | null = node;
    while (at && at.parentNode !== parent) at = at.parentNode;
    return at ?? undefined;
  };

  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    const elements = placed(child, this);
    const around = wrapper(child, this);
    // Throws if the node is elsewhere. If it was already removed, does nothing.
    if (elements.length === 0 && !around && child.parentNode) return removeChild.call(this, child) as T;
    for (const element of elements) element.remove();
    if (around) child.parentNode?.removeChild(child);
    if (around && !around.hasChildNodes()) removeChild.call(this, around);
    return child;
  };
  Node.prototype.insertBefore = function insert<T extends Node>(this: Node, node: T, before: Node | null): T {
    if (!before || before.parentNode === this) return insertBefore.call(this, node, before) as T;
    const place = placed(before, this)[0] ?? wrapper(before, this) ?? (before.parentNode && before);
    return insertBefore.call(this, node, place) as T;
  };
}

/** True for errors of React that are caused by other scripts, which moved or removed its nodes. The messages differ between browsers. */
export function isForeignDomError(error: unknown): boolean {
  const { name, message } = (error ?? {}) as Partial<Error>;
  return name === 'NotFoundError' && /child of this node|object can not be found/.test(message ?? '');
}

type Page = Window & typeof globalThis;

/** React marks the elements that it creates. */
function isReacts(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__reactFiber$'));
}
