import { createLatePart } from 'host/ui/late-part.tsx';
import { fileTexts } from './file-texts.ts';

export const filesPart = createLatePart(async () => (await import('./files-part.ts')).filesPart, fileTexts);
