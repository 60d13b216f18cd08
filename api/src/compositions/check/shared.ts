import semver from 'semver';
import type { Release, SharedLibrary } from '../release.ts';
import { adviseOnMismatch } from './advise-on-mismatch.ts';
import { providedBy } from './compatibility.ts';
import type { CheckContext, CheckedParts, Finding, LocalizedText, Rule } from './rule.ts';

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
  const build: LocalizedText =
    version === undefined
      ? [
          `让 ${remote.name} 自带 ${library}（不共享）后重新发布，或由主机提供 ${library}`,
          `build ${remote.name} with a ${library} of its own that is not shared, or have the host provide it`,
        ]
      : [
          `用 ${library} ^${version} 重新构建并发布 ${remote.name}`,
          `build ${remote.name} with ${library} ^${version} and publish it`,
        ];
  const advice = await adviseOnMismatch(remote, parts, context, build);
  return { remote: remote.name, release: remote._id, message, advice };
}

function faultOf(
  remote: Release,
  { library, range }: SharedLibrary,
  host: Release,
): LocalizedText | undefined {
  const version = providedBy(host, library, remote);
  if (version === undefined)
    return [
      `${remote._id} 需要共享的 ${library} ${range}，而 ${host._id} 不提供 ${library}`,
      `${remote._id} needs ${library} ${range} as a shared library, which ${host._id} does not provide`,
    ];
  if (semver.validRange(range) === null)
    return [
      `${remote._id} 对 ${library} 的版本范围 "${range}" 不是合法的范围`,
      `${remote._id} asks for ${library} in "${range}", which is not a valid version range`,
    ];
  if (semver.satisfies(version, range)) return undefined;
  return [
    `${remote._id} 需要 ${library} ${range}，而 ${host._id} 提供的是 ${version}`,
    `${remote._id} needs ${library} ${range}, and ${host._id} provides ${version}`,
  ];
}
