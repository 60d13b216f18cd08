/** The style sheets of releases that stand in the page. */
export interface ReleaseStyles {
  /**
   * `entry`'s release is shown, none of `others` (entries too): two releases of one remote name their classes alike. What is taken
   * away is kept: its loader believes it in the page, and would not add it again.
   */
  show(entry: string, others: readonly string[]): void;
}

export function createReleaseStyles(page: Document): ReleaseStyles {
  const taken = new Map<string, HTMLLinkElement[]>();
  const baseOf = (entry: string) => new URL('.', new URL(entry, page.baseURI)).href;

  return {
    show(entry, others) {
      page.head.append(...(taken.get(entry) ?? []));
      taken.delete(entry);
      for (const other of others) {
        const base = baseOf(other);
        if (base === baseOf(entry)) continue;
        const links = [...page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
        const own = links.filter(({ href }) => href.startsWith(base));
        for (const link of own) link.remove();
        if (own.length) taken.set(other, [...(taken.get(other) ?? []), ...own]);
      }
    },
  };
}
