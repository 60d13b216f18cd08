import type { Release } from './composition.ts';

/**
 * The style sheets that releases add to the page. Two releases of one remote may use the same class names, the same marks and the same
 * addresses, so a sheet belongs to the release that was being loaded when it was added.
 */
export interface ReleaseStyles {
  /** From now on `release` of the remote is loaded, whose releases are `all`. */
  load(release: Release, all: readonly Release[]): void;
  /**
   * `release` is shown, and the sheets of the others are taken out of the page. They are kept: the loader of such a release has added
   * them once and would not do so again.
   */
  show(release: Release, all: readonly Release[]): void;
}

/** How loaders recognise a style sheet that they have added. */
const MARKS = ['data-rspack', 'data-webpack'];

export function createReleaseStyles(page: Document): ReleaseStyles {
  /** The entry of the release that a link belongs to. */
  const owners = new Map<HTMLLinkElement, string>();
  /** By the folder of a remote's releases: the entry of the one that was loaded last. */
  const loading = new Map<string, string>();

  const absolute = (address: string) => new URL(address, page.baseURI).href;
  const folderOf = ({ entry }: Release) => new URL('.', absolute(entry)).href;
  const keyOf = (all: readonly Release[]) => all.map(({ entry }) => entry).join(' ');

  /** Links of the remote that nobody owns yet belong to what was loaded last. */
  const claim = (all: readonly Release[]) => {
    const owner = loading.get(keyOf(all));
    const folders = all.map(folderOf);
    for (const link of page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
      if (owner && !owners.has(link) && folders.some((folder) => link.href.startsWith(folder)))
        owners.set(link, owner);
  };

  return {
    load(release, all) {
      claim(all);
      loading.set(keyOf(all), release.entry);
      const entries = all.map(({ entry }) => entry);
      // Another release's loader must not take them for its own.
      for (const [link, owner] of owners)
        if (owner !== release.entry && entries.includes(owner))
          for (const mark of MARKS) link.removeAttribute(mark);
    },
    show(release, all) {
      claim(all);
      const needed = Object.values(release.exposes ?? {}).flatMap(({ css }) => css.map(absolute));
      for (const [link, owner] of owners) {
        if (owner === release.entry) {
          if (!link.isConnected) page.head.append(link);
        } else if (all.some(({ entry }) => entry === owner) && !needed.includes(link.href)) link.remove();
      }
    },
  };
}
