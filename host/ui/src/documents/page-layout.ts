/** Width and height, in any unit. */
export interface PageSize {
  width: number;
  height: number;
}

/** Where the pages of a document are, in pixels below the top of their container. */
export interface PageLayout {
  width: number;
  tops: readonly number[];
  heights: readonly number[];
  /** Height of all pages with the gaps. */
  height: number;
}

/** A position in a document that does not depend on the zoom: a page, counted from 1, and a share of its height. */
export interface PagePosition {
  page: number;
  share: number;
}

/** Space above, below and between the pages, in pixels. */
export const GAP = 12;

/** Lays `count` pages out below each other, all `width` wide. Pages whose size is not known yet are assumed to be like `usual`. */
export function layOutPages(
  count: number,
  sizes: ReadonlyMap<number, PageSize>,
  usual: PageSize,
  width: number,
): PageLayout {
  const tops: number[] = [];
  const heights: number[] = [];
  let top = GAP;
  for (let page = 1; page <= count; page += 1) {
    const size = sizes.get(page) ?? usual;
    const height = Math.round((width * size.height) / size.width);
    tops.push(top);
    heights.push(height);
    top += height + GAP;
  }
  return { width, tops, heights, height: top };
}

/** The position that is `y` pixels below the top. */
export function positionAt({ tops, heights }: PageLayout, y: number): PagePosition {
  const found = tops.findLastIndex((top) => top <= y);
  const index = Math.max(0, found);
  return { page: index + 1, share: (y - (tops[index] ?? 0)) / (heights[index] || 1) };
}

export function pixelsOf({ tops, heights }: PageLayout, { page, share }: PagePosition): number {
  return (tops[page - 1] ?? 0) + share * (heights[page - 1] ?? 0);
}

/** Numbers of the pages between `top` and `bottom`, and one more on either side. */
export function pagesNear(layout: PageLayout, top: number, bottom: number): number[] {
  const first = Math.max(1, positionAt(layout, top).page - 1);
  const last = Math.min(layout.tops.length, positionAt(layout, bottom).page + 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
