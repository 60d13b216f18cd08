import type { ToolComposition, ToolImportMap, ToolRelease } from '../../contract/pages.ts';
import { type Release, rangesOf } from '../data/release.ts';
import { liveRoutesOf, type ResolvedComposition, type ResolvedPart } from '../live/live-composition.ts';
import { address, describeRelease, describeRoute, integrityOf } from './page-head.ts';

/** /chatbot/composition.json: the live composition, for tools. */
export function describeForTools(composition: ResolvedComposition): ToolComposition {
  const { id, host, remotes } = composition;
  return {
    id,
    host: describePart(host),
    remotes: Object.fromEntries(remotes.map((part) => [part.live.name, describePart(part)])),
    routes: liveRoutesOf(composition)
      .map(describeRoute)
      .filter((route) => route !== undefined),
  };
}

/** /chatbot/importmap.json: live remotes and their folders (`<name>/`). Classic scripts are no modules. */
export function importMapOf({ id, host, remotes }: ResolvedComposition): ToolImportMap {
  const live = remotes.map((part) => ({ live: part.live, previous: null }));
  const modules = live.filter(({ live: { standard } }) => standard?.type !== 'script');
  const imports = modules.flatMap(({ live: release }) => [
    [release.name, address(release, release.entry)] as const,
    [`${release.name}/`, release.base] as const,
  ]);
  const current = { id, host: { live: host.live, previous: null }, remotes: live };
  return { imports: Object.fromEntries(imports), integrity: integrityOf(current, /\.m?js$/) };
}

function describePart({ live, previous }: ResolvedPart): ToolComposition['host'] {
  return { ...describe(live), previous: previous && describe(previous) };
}

function describe(release: Release): ToolRelease {
  const { _id, base, shared, standard, commit } = release;
  return {
    ...describeRelease(release),
    id: _id,
    base,
    commit,
    shared: rangesOf(shared),
    own: rangesOf(standard?.own ?? []),
  };
}
