import { createLatePart } from 'host/ui/late-part.tsx';

export const filesPart = createLatePart(async () => (await import('./files-part.ts')).filesPart);
