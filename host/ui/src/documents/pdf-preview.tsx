import { useMemo } from 'react';
import { createLatePart, Late } from '../late-part.tsx';
import { Skeleton } from '../skeleton.tsx';
import type { PdfTarget } from './pdf-pages.tsx';
import type { SourceReader } from './source-reader.ts';
import { type SourceTranslate, sourceTexts } from './source-texts.ts';

/** pdf.js with its worker: 600 KB, loaded when a PDF is first opened. */
export const pdfPages = createLatePart(
  () => import(/* webpackChunkName: "pdf-pages" */ './pdf-pages.tsx'),
  sourceTexts,
);

interface PdfPreviewProps {
  /** Undefined while it is being created. The pages of the previous file stay until those of the next one are open. */
  file: Blob | undefined;
  t: SourceTranslate;
  loading: string;
  onFailed(): void;
}

const START: PdfTarget = { quoted: [], page: 1 };

/** The pages of a PDF in memory, with their text for screen readers. */
export function PdfPreview({ file, t, loading, onFailed }: PdfPreviewProps) {
  const reader = useMemo<Pick<SourceReader, 'bytes'> | undefined>(
    () =>
      file && {
        bytes: async (_id, start, end) => ({
          bytes: new Uint8Array(await file.slice(start, end).arrayBuffer()),
          size: file.size,
          version: '',
        }),
      },
    [file],
  );
  const skeleton = <Skeleton label={loading} lines={['third', 'full', 'full', 'most']} />;
  return (
    <Late part={pdfPages} loading={skeleton} onFailed={onFailed}>
      {({ PdfPages }) =>
        reader ? (
          <PdfPages
            documentId=""
            reader={reader}
            target={START}
            isLost={false}
            hasText
            t={t}
            onFailed={onFailed}
          />
        ) : (
          skeleton
        )
      }
    </Late>
  );
}
