import type { Release } from './composition.ts';

/** Attributes by which bundlers find the style sheets they have added. */
const MARKS = ['data-rspack', 'data-webpack'];

export type ReleaseStyles = ReturnType<typeof createReleaseStyles>;

/**
 * Separates the style sheets of releases. Two releases of a remote may use the same class names, marker attributes and addresses, so a
 * style sheet belongs to the release that was being loaded when it was added.
 */
export function createReleaseStyles(page: Document) {
  /** The entry of the release that a link belongs to. */
  const owners = new Map<HTMLLinkElement, string>();
  /** The entry that was loaded last, by the joined entries of a remote's releases. */
  const loading = new Map<string, string>();

  const absolute = (address: string) => new URL(address, page.baseURI).href;
  const folderOf = ({ entry, standard }: Release) =>
    standard ? absolute(standard.base) : new URL('.', absolute(entry)).href;
  const keyOf = (all: readonly Release[]) => all.map(({ entry }) => entry).join(' ');

  /** Assigns new links of the remote to the release that was loaded last. */
  const claim = (all: readonly Release[]) => {
    const owner = loading.get(keyOf(all));
    const folders = all.map(folderOf);
    for (const link of page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
      if (owner && !owners.has(link) && folders.some((folder) => link.href.startsWith(folder)))
        owners.set(link, owner);
  };

  return {
    /** Starts loading `release`, one of `all` releases of the remote. */
    load(release: Release, all: readonly Release[]): void {
      claim(all);
      loading.set(keyOf(all), release.entry);
      const entries = all.map(({ entry }) => entry);
      // Prevents the loader of the other release from reusing them.
      for (const [link, owner] of owners)
        if (owner !== release.entry && entries.includes(owner))
          for (const mark of MARKS) link.removeAttribute(mark);
    },
    /** Shows the sheets of `release` and removes those of the others. Removed sheets are kept, because a loader adds them only once. */
    show(release: Release, all: readonly Release[]): void {
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
