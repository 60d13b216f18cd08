import type { CanaryInfo, PointerInfo } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import type { Fault } from './canary-analysis.ts';

const RATE_MESSAGES = {
  failed: ['失败', 'failed in'],
  erred: ['报错', 'reported errors in'],
  silent: ['一直没有报告，页面没有启动', 'did not start in'],
} as const;

/**
 * The stored reason why a canary was halted: one line in Chinese and one in English, see `reasonIn`.
 * `version` is the version of the release in the canary.
 */
export function faultMessages(fault: Fault, version: string): string {
  const release = `${fault.part}@${version}`;
  if ('bad' in fault) {
    const { bad, pages, liveBad, livePages } = fault;
    const [zh, en] = RATE_MESSAGES[fault.what];
    return [
      `${release}：${count(pages)} 个页面中 ${count(bad)} 个${zh}，线上 ${count(livePages)} 个中 ${count(liveBad)} 个。`,
      `${release} ${en} ${count(bad)} of ${count(pages)} pages, what is live in ${count(liveBad)} of ${count(livePages)}.`,
    ].join('\n');
  }
  const { what, p75, liveP75, pages, livePages } = fault;
  const [own, other] = [shown(what, p75), shown(what, liveP75)];
  return [
    `${release}：${what} 的 p75 为 ${own}（${count(pages)} 个页面），线上为 ${other}（${count(livePages)} 个）。`,
    `The p75 of ${what} of ${release} is ${own} (${count(pages)} pages), that of what is live ${other} (${count(livePages)}).`,
  ].join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function shown(what: 'LCP' | 'INP' | 'CLS', value: number): string {
  return what === 'CLS' ? value.toFixed(2) : `${count(Math.round(value))} ms`;
}

/**
 * A stored reason in the reader's language. Reasons entered by people have one line; those from `faultMessages`
 * have one line per language.
 */
export function reasonIn(language: Language, reason: string): string {
  const [zh = '', en = zh] = reason.split('\n');
  return language === 'en' ? en : zh;
}

/** The pointer as returned to callers, with reasons in one language. */
export function pointerIn(language: Language, pointer: PointerInfo): PointerInfo {
  const canaries = pointer.canaries.map((canary) => canaryIn(language, canary));
  return { ...pointer, canary: canaries[0] ?? null, canaries };
}

export function canaryIn<T extends CanaryInfo>(language: Language, canary: T): T {
  const { halted } = canary;
  return { ...canary, halted: halted && { ...halted, reason: reasonIn(language, halted.reason) } };
}
