import { createSourceReader, type Source } from 'host/ui/documents/source-reader.ts';
import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { SourceViewer } from 'host/ui/documents/source-viewer.tsx';
import { useMemo } from 'react';
import { useDesk } from './services.ts';

export interface SourceDialogProps {
  source: Source;
  /** Position among the citations of the answer. */
  steps?: { n: number; count: number; onStep(n: number): void };
  onClose(): void;
}

/** A document, scrolled to the quote of an answer. */
export function SourceDialog({ source, steps, onClose }: SourceDialogProps) {
  const { t, http, toasts } = useDesk(sourceTexts);
  const reader = useMemo(() => createSourceReader(http), [http]);
  return (
    <SourceViewer
      source={source}
      reader={reader}
      t={t}
      steps={steps}
      variant="dialog"
      onProblem={(text) => void toasts.show({ kind: 'error', text })}
      onClose={onClose}
    />
  );
}
