import semver from 'semver';
import type { Release } from '../release.ts';
import { adviseOnMismatch } from './advise-on-mismatch.ts';
import { offers } from './compatibility.ts';
import type { CheckContext, CheckedParts, Finding, Rule } from './rule.ts';

/**
 * The host must offer the contract that each remote was built against: the same major version, and at least
 * its minor version.
 */
export const contract: Rule = async (parts, context) => {
  const { host, remotes } = parts;
  const unfit = remotes.filter((remote) => !offers(host, remote.contract));
  return {
    findings: await Promise.all(unfit.map((remote) => findingOf(remote, parts, context))),
    looked: remotes.length,
  };
};

async function findingOf(remote: Release, parts: CheckedParts, context: CheckContext): Promise<Finding> {
  const { host } = parts;
  const isVersion = semver.valid(remote.contract) !== null;
  return {
    remote: remote.name,
    release: remote._id,
    message: isVersion
      ? [
          `${remote._id} 按主机契约 ${remote.contract} 构建，而 ${host._id} 提供的是 ${host.contract}`,
          `${remote._id} was built against the host contract ${remote.contract}, and ${host._id} offers ${host.contract}`,
        ]
      : [
          `${remote._id} 声明的主机契约 "${remote.contract}" 不是合法的版本`,
          `${remote._id} says that it was built against the host contract "${remote.contract}", which is not a valid version`,
        ],
    advice: await adviseOnMismatch(remote, parts, context, [
      `按契约 ${host.contract} 重新构建并发布 ${remote.name}`,
      `build ${remote.name} against the contract ${host.contract} and publish it`,
    ]),
  };
}
