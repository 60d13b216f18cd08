import type { Release } from '../release.ts';
import { compatibleHost, compatibleRelease } from './compatibility.ts';
import type { CheckContext, CheckedParts, LocalizedText } from './rule.ts';

/**
 * Advice for a remote that is incompatible with the host: another release of either that is compatible, if
 * there is one, otherwise what to rebuild.
 */
export async function adviseOnMismatch(
  remote: Release,
  parts: CheckedParts,
  { releasesOf }: CheckContext,
  build: LocalizedText,
): Promise<LocalizedText> {
  const [others, hosts] = await Promise.all([releasesOf(remote.name), releasesOf('host')]);
  const other = compatibleRelease(parts, remote._id, others);
  const host = compatibleHost(parts, hosts);
  const ways: LocalizedText[] = [
    ...(other
      ? [
          [
            `选用 ${other._id}，它适合当前主机`,
            `choose ${other._id}, which is compatible with this host`,
          ] as const,
        ]
      : []),
    ...(host
      ? [
          [
            `选用 ${host._id}，它适合所有模块`,
            `choose ${host._id}, which is compatible with every remote`,
          ] as const,
        ]
      : []),
    build,
  ];
  return [`请${ways.map(([zh]) => zh).join('；或')}`, capitalised(ways.map(([, en]) => en).join('; or '))];
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
