import semver from 'semver';
import { type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Release, SharedLibrary } from '../data/release.ts';
import { adviseOnMismatch, providedBy } from './compatibility.ts';
import type { CheckContext, CheckedParts, Finding, Rule } from './rule.ts';

const textOf = textsOf('findings');

/**
 * Only the host provides shared libraries, in one version each. So the set is consistent if each range of
 * each remote includes the version that the host provides. Libraries that a standard remote brings itself
 * are not among its `shared`.
 */
export const shared: Rule = async (parts, context) => {
  const needs = parts.remotes.flatMap((remote) => remote.shared.map((need) => ({ remote, need })));
  const findings = await Promise.all(
    needs.map(({ remote, need }) => findingOf(remote, need, parts, context)),
  );
  return { findings: findings.filter((finding) => finding !== undefined), looked: needs.length };
};

async function findingOf(
  remote: Release,
  need: SharedLibrary,
  parts: CheckedParts,
  context: CheckContext,
): Promise<Finding | undefined> {
  const message = faultOf(remote, need, parts.host);
  if (!message) return undefined;
  const { library } = need;
  const version = providedBy(parts.host, library, remote);
  const build: Text =
    version === undefined
      ? textOf('own_library', { name: remote.name, library })
      : textOf('build_with_library', { library, version, name: remote.name });
  const advice = await adviseOnMismatch(remote, parts, context, build);
  return { remote: remote.name, release: remote._id, message, advice };
}

function faultOf(remote: Release, { library, range }: SharedLibrary, host: Release): Text | undefined {
  const version = providedBy(host, library, remote);
  if (version === undefined)
    return textOf('library_missing', { remote: remote._id, library, range, host: host._id });
  if (semver.validRange(range) === null)
    return textOf('range_invalid', { remote: remote._id, library, range });
  if (semver.satisfies(version, range)) return undefined;
  return textOf('library_differs', { remote: remote._id, library, range, host: host._id, version });
}
