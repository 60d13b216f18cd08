/** The part of a DOM node that is used here; the API has no DOM types. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  nodeValue: string | null;
  textContent: string;
  removeChild(child: DomNode): void;
}

export interface DomElement extends DomNode {
  readonly children: ArrayLike<DomElement>;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

const elementNode = 1;
export const textNode = 3;

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === elementNode;
}

/** In document order, without recursion. `visit` may remove the node; returns whether to descend. */
export function walk(root: DomNode, visit: (node: DomNode, depth: number) => boolean): void {
  let node: DomNode | null = root.firstChild;
  let depth = 1;
  while (node) {
    const current: DomNode = node;
    const next = current.nextSibling;
    const parent = current.parentNode!;
    const descends = visit(current, depth);
    if (descends && current.firstChild) {
      node = current.firstChild;
      depth += 1;
      continue;
    }
    node = next;
    let above: DomNode = parent;
    while (!node && above !== root) {
      node = above.nextSibling;
      above = above.parentNode!;
      depth -= 1;
    }
  }
}
