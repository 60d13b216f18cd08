import { detectLanguage } from './detect-language.ts';
import { tooLarge, unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './file-to-read.ts';
import { relationsOf, titleIn } from './office-relations.ts';
import { readXml } from './read-xml.ts';
import { unpackZip } from './read-zip.ts';
import { type Slide, slideOf } from './slide-text.ts';

/** Slides, notes and diagrams; images, charts and media are never unpacked. */
const wanted =
  /^(?:docProps\/core\.xml|ppt\/presentation\.xml|ppt\/(?:slides|notesSlides|diagrams)\/[^/]+\.xml|ppt\/(?:slides\/)?_rels\/[^/]+\.rels)$/;

const words = {
  zh: { slide: (number: number) => `第 ${number} 张幻灯片`, notes: '备注：' },
  en: { slide: (number: number) => `Slide ${number}`, notes: 'Notes: ' },
} as const;

/** Reads a PowerPoint presentation: each visible slide with number and title, followed by its notes. */
export async function readPptx({ bytes, limits }: FileToRead): Promise<ReadFile> {
  const parts = await unpackZip(bytes, wanted, limits.maxUnpacked);
  const relations = relationsOf(parts, 'ppt/presentation.xml');
  const names: string[] = [];
  readXml(parts.get('ppt/presentation.xml'), {
    open(name, attributes) {
      const slide = name === 'sldId' ? relations.get(attributes().id ?? '') : undefined;
      if (slide) names.push(slide.part);
    },
  });
  if (relations.size === 0) throw unreadable('damaged');
  if (names.length > limits.maxPages) throw tooLarge('pages', limits.maxPages);
  const slides = names.map((name) => ({ ...slideOf(parts.get(name)), besides: besidesOf(parts, name) }));
  const language = detectLanguage(
    slides.map(({ title, blocks }) => [title, ...blocks].join('\n')).join('\n'),
  );
  const { slide, notes } = words[language];
  const texts = slides.map(({ title, blocks, isHidden, besides }, index) => {
    const said = [...blocks, ...besides.diagrams, ...besides.notes.map((text) => `${notes}${text}`)];
    if (isHidden || (title === '' && said.length === 0)) return '';
    return [`# ${slide(index + 1)}`, ...(title === '' ? [] : [`## ${title}`]), ...said].join('\n\n');
  });
  const title = titleIn(parts) || (slides.find((one) => one.title !== '')?.title ?? '');
  return { text: texts.filter(Boolean).join('\n\n'), title, pages: Math.max(1, names.length) };
}

/** Text of a slide that is stored in separate parts. */
function besidesOf(
  parts: ReadonlyMap<string, Buffer>,
  slide: string,
): { notes: string[]; diagrams: string[] } {
  const others = [...relationsOf(parts, slide).values()];
  const read = (type: string) =>
    others.filter((one) => one.type === type).map(({ part }): Slide => slideOf(parts.get(part)));
  return {
    notes: read('notesSlide').flatMap(({ blocks }) => blocks),
    diagrams: read('diagramData').flatMap(({ blocks }) => blocks),
  };
}
