import type { ScreenProps } from 'host/contract';
import { createLatePart, PartServices, useLatePart } from 'host/ui/late-part.tsx';
import { OverlayLayerProvider } from 'host/ui/overlay-layer.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useMemo, useState } from 'react';
import { ChatLayout } from './chat-layout.tsx';
import type { AttachedFile } from './state/attachments.ts';
import { ChatContext, FrameContext } from './state/chat-context.ts';
import { createDrafts } from './state/drafts.ts';
import { chatTexts, frameTexts } from './state/texts.ts';

export const texts = [frameTexts];

export const deferredPartsModule = createLatePart(
  async () => (await import(/* webpackChunkName: "rest" */ './deferred-parts.ts')).deferredParts,
  chatTexts,
);

/**
 * The screen of /index: conversations on the left, the open one on the right, identified by `?c=` in the address. The layout with its
 * textarea is a small first chunk; everything else is loaded afterwards.
 */
export default function ChatScreen({ services, controls }: ScreenProps) {
  return (
    <PartServices value={services}>
      <Chat services={services} controls={controls} />
    </PartServices>
  );
}

function Chat({ services, controls }: Pick<ScreenProps, 'services' | 'controls'>) {
  const [drafts] = useState(() => createDrafts(services.storage));
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const { part: parts, failure } = useLatePart(deferredPartsModule);
  // The host catches the error and shows the previous release of this remote.
  if (failure?.isFinal) throw failure.error;
  const chat = useMemo(() => parts?.createChatState(services, drafts), [parts, services, drafts]);
  const { i18n } = services;
  const language = useStream(i18n.language$);
  const frame = useMemo(() => {
    const ask = (text: string, files?: readonly AttachedFile[]) =>
      chat?.consultation.send(text, files) ?? false;
    return { services, drafts, chat, t: i18n.translator(frameTexts, language), ask };
  }, [services, drafts, i18n, language, chat]);
  const context = useMemo(
    () => (chat ? { services, chat, t: i18n.translator(chatTexts, language) } : null),
    [chat, services, i18n, language],
  );

  return (
    <FrameContext value={frame}>
      <ChatContext value={context}>
        <OverlayLayerProvider value={layer}>
          <ChatLayout rest={parts} controls={controls} layerRef={setLayer} />
        </OverlayLayerProvider>
      </ChatContext>
    </FrameContext>
  );
}
