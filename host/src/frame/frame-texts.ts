import { defineTexts, type TextFile, type Translate } from 'host/ui/texts.ts';
import type zh from '../../locales/zh/frame.json';
import type laterZh from '../../locales/zh/later.json';

export const frameTexts = defineTexts<typeof zh>(fileOf('frame'));
export type FrameTranslate = Translate<typeof zh>;

/** Texts of the frame that the first paint does not need: failed calls, previews and new versions. */
export const laterTexts = defineTexts<typeof laterZh>(fileOf('later'));
export type LaterTranslate = Translate<typeof laterZh>;

/** Both files in one `import()`, because each of these makes the first script larger. */
function fileOf(name: 'frame' | 'later'): TextFile {
  return (language) =>
    import(
      /* webpackChunkName: "[request]", webpackInclude: /\/(frame|later)\.json$/ */ `../../locales/${language}/${name}.json`
    );
}
