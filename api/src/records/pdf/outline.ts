import type { jsPDF } from 'jspdf';
import { literalString } from './literal-string.ts';

/** A bookmark. `y` is the target position on the page, in points from the top. */
export interface Bookmark {
  title: string;
  pageNumber: number;
  y: number;
  children: Bookmark[];
}

interface Internal {
  newObjectDeferred(): number;
  newObjectDeferredBegin(id: number, doOutput: boolean): number;
  out(line: string): void;
  events: { subscribe(topic: string, callback: () => void): string };
  getPageInfo(pageNumber: number): { objId: number };
}

/**
 * Adds bookmarks. jsPDF's own only point to the top of a page and have the same escaping problem as
 * properties, see `setProperties`. Branches below the first level are initially collapsed.
 */
export function addOutline(doc: jsPDF, bookmarks: readonly Bookmark[], pageHeight: number): void {
  if (bookmarks.length === 0) return;
  const internal = doc.internal as unknown as Internal;
  let root = 0;

  internal.events.subscribe('postPutResources', () => {
    root = internal.newObjectDeferred();
    const ids = writeItems(bookmarks, root);
    internal.newObjectDeferredBegin(root, true);
    internal.out(`<< /Type /Outlines /First ${ids[0]} 0 R /Last ${ids.at(-1)} 0 R /Count ${ids.length} >>`);
    internal.out('endobj');
  });
  internal.events.subscribe('putCatalog', () => {
    internal.out(`/Outlines ${root} 0 R /PageMode /UseOutlines`);
  });

  function writeItems(items: readonly Bookmark[], parent: number): number[] {
    const ids = items.map(() => internal.newObjectDeferred());
    for (const [index, { title, pageNumber, y, children }] of items.entries()) {
      const id = ids[index]!;
      const below = writeItems(children, id);
      internal.newObjectDeferredBegin(id, true);
      const before = index > 0 ? ` /Prev ${ids[index - 1]} 0 R` : '';
      const after = index < ids.length - 1 ? ` /Next ${ids[index + 1]} 0 R` : '';
      const branch =
        below.length > 0 ? ` /First ${below[0]} 0 R /Last ${below.at(-1)} 0 R /Count -${below.length}` : '';
      const target = internal.getPageInfo(pageNumber).objId;
      internal.out(
        `<< /Title (${literalString(title)}) /Parent ${parent} 0 R${before}${after}${branch}` +
          ` /Dest [${target} 0 R /XYZ 0 ${Math.round(pageHeight - y)} null] >>`,
      );
      internal.out('endobj');
    }
    return ids;
  }
}
