import type { Release } from '../release.ts';
import { isElsewhere } from '../release-keys.ts';
import type { CheckContext, CheckedFile, FileFault, Finding, LocalizedText, Ruled } from './rule.ts';

/** Number of files listed by name; the others are only counted. */
const named = 3;

/** One finding per release that has files with a fault of `rule`. */
export async function fileFindings(
  rule: FileFault['rule'],
  { files }: CheckContext,
  summary: (release: Release, count: number) => LocalizedText,
  advice: (release: Release) => LocalizedText,
): Promise<Ruled> {
  const looked = await files();
  const faulty = new Map<Release, CheckedFile[]>();
  for (const one of looked)
    if (one.fault?.rule === rule) faulty.set(one.release, [...(faulty.get(one.release) ?? []), one]);
  const findings = [...faulty].map(([release, of]): Finding => {
    const [zh, en] = summary(release, of.length);
    const some = of.slice(0, named);
    const rest = of.length - some.length;
    return {
      remote: release.name,
      release: release._id,
      message: [
        `${zh}：${some.map(({ file, fault }) => `${file.path} ${fault!.why[0]}`).join('；')}${rest ? `；另有 ${rest} 个` : ''}`,
        `${en}: ${some.map(({ file, fault }) => `${file.path} ${fault!.why[1]}`).join('; ')}${rest ? `; and ${rest} more` : ''}`,
      ],
      advice: advice(release),
    };
  });
  return { findings, looked: looked.length };
}

/** Advice for files of a release that are missing or altered. */
export function putBack(release: Release): LocalizedText {
  return isElsewhere(release)
    ? [
        `请在 ${release.base} 恢复这些文件，或选用 ${release.name} 的其他版本`,
        `Restore these files at ${release.base}, or choose another release of ${release.name}`,
      ]
    : [
        `请再次发布同一构建（会补回文件），或选用 ${release.name} 的其他版本`,
        `Publish the same build again, which puts its files back, or choose another release of ${release.name}`,
      ];
}
