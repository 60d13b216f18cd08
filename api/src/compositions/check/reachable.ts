import { isElsewhere } from '../release-keys.ts';
import { fileFindings, putBack } from './file-findings.ts';
import type { Rule } from './rule.ts';

/** Checks that a visitor's browser can fetch every file. */
export const reachable: Rule = (_parts, context) =>
  fileFindings(
    'reachable',
    context,
    ({ _id, files }, count) => [
      `${_id} 的 ${files.length} 个文件中有 ${count} 个无法取得`,
      `${count} of ${files.length} files of ${_id} cannot be fetched`,
    ],
    (release) =>
      isElsewhere(release)
        ? [
            `请让 ${release.base} 以 200、正确的内容类型和 Access-Control-Allow-Origin 提供这些文件，并确认其来源在 RELEASE_ORIGINS 中；或选用 ${release.name} 的其他版本`,
            `See that ${release.base} serves these files with 200, their own Content-Type and Access-Control-Allow-Origin, and that its origin is one of RELEASE_ORIGINS; or choose another release of ${release.name}`,
          ]
        : putBack(release),
  );
