import type { Fault } from './judge.ts';

/** Why a canary stopped, in both languages: it is kept in the history, which everyone reads. `version` is the part's in the canary. */
export function faultWords(fault: Fault, version: string): string {
  const release = `${fault.part}@${version}`;
  if ('bad' in fault) {
    const { bad, pages, liveBad, livePages } = fault;
    const [zh, en] = fault.what === 'failed' ? ['失败', 'failed in'] : ['报错', 'reported errors in'];
    return (
      `${release}：${count(pages)} 个页面中 ${count(bad)} 个${zh}，线上 ${count(livePages)} 个中 ${count(liveBad)} 个。` +
      `It ${en} ${count(bad)} of ${count(pages)} pages, what is live in ${count(liveBad)} of ${count(livePages)}.`
    );
  }
  const { what, p75, liveP75, pages, livePages } = fault;
  const [own, other] = [shown(what, p75), shown(what, liveP75)];
  return (
    `${release}：${what} 的 p75 为 ${own}（${count(pages)} 个页面），线上为 ${other}（${count(livePages)} 个）。` +
    `Its p75 of ${what} is ${own} (${count(pages)} pages), that of what is live ${other} (${count(livePages)}).`
  );
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function shown(what: 'LCP' | 'INP' | 'CLS', value: number): string {
  return what === 'CLS' ? value.toFixed(2) : `${count(Math.round(value))} ms`;
}
