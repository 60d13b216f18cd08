import type { ScreenProps } from 'host/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { type AttachedFile, attachmentsOf } from './attachments.ts';
import { ChatContext } from './chat-context.ts';
import { createDrafts } from './drafts.ts';
import { Folder } from './folder.tsx';
import { FrameContext } from './frame-context.ts';
import { FRAME_WORDS } from './frame-words.ts';
import { fullDeskModule } from './full-desk-module.ts';

/**
 * /index: conversations left, the consultation right. The open conversation stands in the address as `?c=`. The frame with its textarea
 * comes first and small; everything behind it is fetched as soon as it stands.
 */
export default function ChatScreen({ services, language, controls }: ScreenProps): ReactNode {
  const [drafts] = useState(() => createDrafts(services.storage));
  const attachments = attachmentsOf(services);
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const full = fullDeskModule.useNeeded();
  const desk = useMemo(
    () => full?.createDesk(services, drafts, attachments),
    [full, services, drafts, attachments],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new identity in another language renders every word anew
  const frame = useMemo(() => {
    const translate = services.i18n.translator(FRAME_WORDS);
    const t: typeof translate = (key, values) => translate(key, values);
    const ask = (text: string, files?: readonly AttachedFile[]) =>
      desk?.consultation.send(text, files) ?? false;
    return { services, drafts, attachments, t, ask };
  }, [services, drafts, attachments, desk, language]);
  const chat = useMemo(() => {
    if (!full || !desk) return null;
    const translate = services.i18n.translator(full.WORDS);
    const t: typeof translate = (key, values) => translate(key, values);
    return { services, desk, t, language, layer };
  }, [full, desk, services, language, layer]);

  return (
    <FrameContext value={frame}>
      <ChatContext value={chat}>
        <Folder full={full} desk={desk} controls={controls} layerRef={setLayer} />
      </ChatContext>
    </FrameContext>
  );
}
