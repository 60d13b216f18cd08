import type { Language } from '../../contract/language.ts';
import { plainName } from '../quoted-words.ts';

/** The desk's own texts around an answer of a model, each a paragraph. */
export interface ModelTexts {
  /** Before an extracted answer if the model failed. */
  instead(reason: string): string;
  /** After an answer that reached the model's maximum length. */
  cutShort: string;
  overLimit(hours: number): string;
  /** Pictures that could not be read: too large for the model, or it has no vision. */
  tooLarge(names: readonly string[]): string;
  unseen(names: readonly string[], model: string): string;
}

const named = (name: string) => `“${plainName(name)}”`;

const zh: ModelTexts = {
  instead: (reason) => `${reason}，改由知识库回答。`,
  cutShort: '（模型的回答达到了长度上限，后面的没有写完。）',
  overLimit: (hours) =>
    `今天可用的模型额度已经用完，UTC 零点（约 ${hours} 小时后）恢复；现在改由知识库回答。`,
  tooLarge: (names) => `${names.map(named).join('、')}太大，没有交给模型看。`,
  unseen: (names, model) =>
    `${names.map(named).join('、')}无法读取：模型“${model}”不能看图，图中也没有识别出文字。`,
};

const en: ModelTexts = {
  instead: (reason) => `${reason}; the knowledge base answers instead.`,
  cutShort: '(The answer reached the model’s limit of length and is not complete.)',
  overLimit: (hours) =>
    `Today’s allowance for models is used up and comes back at midnight UTC, in about ${hours} ${hours === 1 ? 'hour' : 'hours'}; the knowledge base answers instead.`,
  tooLarge: (names) =>
    `${names.map(named).join(', ')} ${names.length === 1 ? 'is' : 'are'} too large and was not shown to the model.`,
  unseen: (names, model) =>
    `${names.map(named).join(', ')} could not be read: the model “${model}” takes no pictures, and no words were found in ${names.length === 1 ? 'it' : 'them'}.`,
};

export const modelTexts: Record<Language, ModelTexts> = { zh, en };
