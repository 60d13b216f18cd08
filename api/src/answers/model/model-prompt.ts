import { randomBytes } from 'node:crypto';
import { estimateTokenCount } from 'tokenx';
import type { Language } from '../../contract/language.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { databaseDate } from '../../store/database-clock.ts';
import type { QuestionFile, Turn } from '../answerer.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import type { MessagePart, ModelMessage } from './endpoint.ts';
import { refusalMark } from './refusal-mark.ts';

export interface PromptParts {
  text: string;
  language: Language;
  history: readonly Turn[];
  /** Best first. */
  passages: readonly KnowledgePassage[];
  /** Pictures as `data:` URLs, for a model with vision. */
  images: readonly { name: string; url: string }[];
  /** Files were sent without a question: they are summarised. */
  isSummary: boolean;
  /** Maximum tokens of prompt and answer together. */
  contextTokens: number;
}

/** Estimates the tokens of a text, with a margin, as tokenisers differ. */
export function countTokens(text: string): number {
  return Math.ceil(estimateTokenCount(text) * 1.15);
}

/** Tokens of a message besides its text. */
const tokensPerMessage = 8;

/** Estimated tokens of a picture of any size. Models count some hundred to some thousand. */
const tokensPerImage = 1200;

/** Share of the context reserved for the answer, within these bounds in tokens. */
const answerShare = 0.25;
const answerTokens = { min: 500, max: 4000 } as const;

/** Minimum size of a cut passage, in tokens. */
const minCutTokens = 100;

/** Share of the remaining tokens for passages if there are earlier turns. */
const passageShare = 0.7;

export type Prompt = ReturnType<typeof createPrompt>;

/**
 * The messages for a question: rules, the latest turns that fit, passages and pictures, and the question.
 * Against prompt injection, passages are enclosed in random tags that no document can contain, and their own
 * tags are escaped.
 */
export function createPrompt(parts: PromptParts) {
  const { language, images, contextTokens } = parts;
  const frame = `passages-${randomBytes(6).toString('hex')}`;
  const say = createSay('models', language);
  const today = databaseDate().toISOString().slice(0, 10);
  const system = say('rules', { frame, mark: refusalMark, today });
  const question = parts.isSummary ? say('summary') : withoutTemplateMarks(parts.text);
  const reserved = Math.min(
    answerTokens.max,
    Math.max(answerTokens.min, Math.floor(contextTokens * answerShare)),
  );
  const fixed =
    countTokens(system) + countTokens(question) + 3 * tokensPerMessage + images.length * tokensPerImage;
  const free = Math.max(0, contextTokens - reserved - fixed);
  const turns = latestTurns(parts.history);
  const passages = fitting(parts.passages, turns.length > 0 ? free * passageShare : free);
  const history = recent(turns, free - passages.tokens);

  const texts = passages.taken.map(numbered);
  const content =
    texts.length > 0
      ? `<${frame}>\n${texts.join('\n')}\n</${frame}>\n\n${question}`
      : `${images.length > 0 ? '' : `${say('no_passages', { mark: refusalMark })}\n\n`}${question}`;
  const messages: ModelMessage[] = [
    { role: 'system', content: system },
    ...history.messages,
    {
      role: 'user',
      content: images.length === 0 ? content : [...images.map(imagePart), { type: 'text', text: content }],
    },
  ];
  return {
    messages,
    /** The passages that fit: passage `n` of the prompt is `passages[n - 1]`. */
    passages: passages.taken,
    /** Estimated number of tokens. */
    tokens: fixed + passages.tokens + history.tokens,
    /** Texts other than passages whose numbers an answer may repeat. */
    said: [today, ...history.messages.map(({ content }) => String(content))],
  };
}

const imagePart = ({ url }: { url: string }): MessagePart => ({ type: 'image_url', image_url: { url } });

function numbered(passage: KnowledgePassage, index: number): string {
  const head = [passage.title, passage.place].filter(Boolean).join(' · ').replace(/\s+/g, ' ');
  const text = [passage.tableHead, passage.text].filter(Boolean).join('\n');
  return `<passage number="${index + 1}" source="${escaped(head).replaceAll('"', "'")}">\n${escaped(text)}\n</passage>`;
}

/** Escapes tags and chat template marks. */
function escaped(text: string): string {
  return withoutTemplateMarks(text).replace(/<(?=\p{Cf}*[a-z!?]|[\s\p{Cf}]{0,8}\/)/giu, '&lt;');
}

/** Escapes `<|im_start|>`, `<｜User｜>`, `<s>`, `<<SYS>>`, `[INST]`, which servers may interpret anywhere. */
function withoutTemplateMarks(text: string): string {
  return text
    .replace(/<(?=[|｜]|\/?(?:(?:start|end)_of_turn|s|bos|eos)>|<\/?SYS)/gi, '&lt;')
    .replace(/\[(?=\/?(?:INST|SYS)[A-Z_]*\])/gi, '&#91;');
}

/** The best passages that fit. The last one is cut, or left out if less than `minCutTokens` would remain. */
function fitting(
  passages: readonly KnowledgePassage[],
  budget: number,
): { taken: KnowledgePassage[]; tokens: number } {
  const taken: KnowledgePassage[] = [];
  let tokens = 0;
  for (const passage of passages) {
    const cost = countTokens(numbered(passage, taken.length));
    const left = budget - tokens;
    if (cost <= left) {
      taken.push(passage);
      tokens += cost;
      continue;
    }
    if (left > minCutTokens) {
      const share = (left / cost) * 0.9;
      const text = passage.text
        .slice(0, Math.floor(passage.text.length * share))
        .replace(/[\ud800-\udbff]$/, '');
      taken.push({ ...passage, text });
      tokens += Math.ceil(left);
    }
    break;
  }
  return { taken, tokens };
}

/** Earlier turns with an answer. Their citation marks are removed, as the numbers refer to other passages. */
function latestTurns(history: readonly Turn[]): Turn[] {
  return history
    .filter(({ answer }) => answer !== '')
    .map(({ question, answer }) => ({
      question: withoutTemplateMarks(question),
      answer: withoutTemplateMarks(answer.replace(/[ \t]*\[\d{1,3}\]/g, '')),
    }));
}

/** The latest turns that fit, in their order. */
function recent(turns: readonly Turn[], budget: number): { messages: ModelMessage[]; tokens: number } {
  const messages: ModelMessage[] = [];
  let tokens = 0;
  for (const { question, answer } of turns.toReversed()) {
    const cost = countTokens(question) + countTokens(answer) + 2 * tokensPerMessage;
    if (tokens + cost > budget) break;
    tokens += cost;
    messages.unshift({ role: 'user', content: question }, { role: 'assistant', content: answer });
  }
  return { messages, tokens };
}

/** Maximum bytes of a picture and of all. Endpoints accept about 20 MB of base64, which are 15 MB. */
const maxImageBytes = 6_000_000;
const maxTotalBytes = 12_000_000;
const maxImages = 10;

/** The question's pictures as `data:` URLs in their original size, and the names of too large ones. */
export async function readImages(files: readonly QuestionFile[]) {
  const found: { images: { name: string; url: string }[]; tooLarge: string[] } = { images: [], tooLarge: [] };
  let left = maxTotalBytes;
  for (const { name, readImage } of files) {
    if (!readImage) continue;
    const { type, bytes } = await readImage();
    if (bytes.length > Math.min(maxImageBytes, left) || found.images.length === maxImages) {
      found.tooLarge.push(name);
      continue;
    }
    left -= bytes.length;
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    found.images.push({ name, url: `data:${type};base64,${data}` });
  }
  return found;
}
