import type { HostServices } from 'host/contract';
import { createSourceReader, type Source } from 'host/ui/documents/source-reader.ts';
import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { SourceViewer } from 'host/ui/documents/source-viewer.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo } from 'react';

export interface SourceDialogProps {
  source: Source;
  /** Position among the citations of the answer. */
  steps?: { n: number; count: number; onStep(n: number): void };
  services: Pick<HostServices, 'http' | 'i18n' | 'toasts'>;
  onClose(): void;
}

/** A document, at what an answer quotes of it. */
export function SourceDialog({ source, steps, services, onClose }: SourceDialogProps) {
  const { http, i18n, toasts } = services;
  const t = useTranslate(i18n, sourceTexts);
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
