import { fold } from '../../text/fold.ts';
import { type Block, filterLeaves } from '../index/structure.ts';

const asked =
  /\b(?:delet|remov|eras|uninstall|destroy|discard|purg|wip(?:e|ing)\b|clear|clean(?:ing)? (?:up|out)|free up|get rid|throw away|format\b|factory|cancel|terminat|forget me|undo)|\bclos(?:e|ing) (?:\w+ )?account|删|清|移除|去掉|销|抹|格式化|出厂|卸载|腾|[扔丢]掉|不要了|不想要|取消|撤/u;

/** Whether a question asks to delete or undo something. */
export function asksToDelete(question: string): boolean {
  return asked.test(fold(question));
}

const deletion =
  /\b(?:delet|eras(?:e|ing)|purg(?:e|ing)|wip(?:e|ing)|destr(?:oy|uction)|factory[- ]reset)|删除|删掉|清空|抹除|抹掉|销毁|注销|格式化|恢复出厂/u;

/** Whether a section with this heading is about permanent deletion. */
export function isAboutDeletion(heading: string): boolean {
  return deletion.test(fold(heading));
}

/** Instructions to delete; the groups are the object. Statements such as "is deleted" do not match. */
const instructions = [
  /(?:^|[.;:,"“*(]\s*|\b(?:to|then|and|or|choose|click|select|press|tap|pick)\s+["“*`]*)(?:delete|erase|wipe|purge|destroy|permanently remove|factory[- ]reset|format (?=the|your))\b([^.;:,\n]{0,40})/gu,
  /([^,。;:、\n]{0,8})(?<![被会将动没未得能许止])(?:永久|彻底)?(?:删除|删掉|清空|抹除|抹掉|销毁|注销|格式化|恢复出厂设置)(?![了的后前过时])([^,。;:、\n]{0,8})/gu,
];
const irreversible =
  /\b(?:can(?:not|['’]t) be (?:undone|reversed|recovered|restored)|irreversibl[ey])|(?:不可|无法|不能)(?:撤销|恢复|逆转|找回|还原)/u;

const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)、])\s+/;

/** Whether a text instructs to delete something that the question does not mention. */
function isDestructive(text: string, saysOfQuestion: (text: string) => boolean): boolean {
  const folded = fold(text.replace(listMark, ''));
  const objects = instructions.flatMap((instruction) =>
    [...folded.matchAll(instruction)].map(([, ...around]) => around.join(' ')),
  );
  if (objects.length > 0) return !objects.every(saysOfQuestion);
  return irreversible.test(folded) && !saysOfQuestion(text);
}

/**
 * Leaves out instructions for permanent deletion, and in ordered lists the steps after them. A block with
 * omissions becomes several blocks. Pure.
 *
 * @param saysOfQuestion whether a text says anything of the question.
 */
export function withoutDestructive(
  text: string,
  blocks: readonly Block[],
  saysOfQuestion: (text: string) => boolean,
): Block[] {
  return blocks.flatMap((block) => {
    let isWithin = false;
    return filterLeaves(block, (leaf) => {
      const words = text.slice(leaf.start, leaf.end);
      const isStep = block.kind === 'list' && block.ordered;
      isWithin = (isWithin && isStep) || isDestructive(words, saysOfQuestion);
      return !isWithin;
    });
  });
}
