import semver from 'semver';
import { textsOf } from '../../i18n/texts-of.ts';
import type { Release } from '../data/release.ts';
import { adviseOnMismatch, offers } from './compatibility.ts';
import type { CheckContext, CheckedParts, Finding, Rule } from './rule.ts';

const textOf = textsOf('findings');

/** The host offers each remote's contract: the same major version, and at least its minor one. */
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
      ? textOf('contract_differs', {
          remote: remote._id,
          contract: remote.contract,
          host: host._id,
          offered: host.contract,
        })
      : textOf('contract_invalid', { remote: remote._id, contract: remote.contract }),
    advice: await adviseOnMismatch(
      remote,
      parts,
      context,
      textOf('build_contract', { offered: host.contract, name: remote.name }),
    ),
  };
}
