import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Release } from '../data/release.ts';
import { compatibleHost, compatibleRelease } from './compatibility.ts';
import type { CheckContext, CheckedParts } from './rule.ts';

const textOf = textsOf('findings');

/**
 * Advice for a remote that is incompatible with the host: another release of either that is compatible, if
 * there is one, otherwise what to rebuild.
 */
export async function adviseOnMismatch(
  remote: Release,
  parts: CheckedParts,
  { releasesOf }: CheckContext,
  build: Text,
): Promise<Text> {
  const [others, hosts] = await Promise.all([releasesOf(remote.name), releasesOf('host')]);
  const other = compatibleRelease(parts, remote._id, others);
  const host = compatibleHost(parts, hosts);
  const ways: Text[] = [
    ...(other ? [textOf('choose_release', { other: other._id })] : []),
    ...(host ? [textOf('choose_host', { host: host._id })] : []),
    build,
  ];
  const advice = textOf('advice', { ways: listOf(ways, 'or_else') });
  return (language) => capitalised(advice(language));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
