import type { Translate } from 'host/contract';
import { defineTexts } from 'host/ui/texts.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import type zh from '../../locales/zh/handover.json';
import { useChat } from '../state/chat-context.ts';

export const handoverTexts = defineTexts<typeof zh>(
  (language) => import(/* webpackChunkName: "[request]" */ `../../locales/${language}/handover.json`),
);

export type HandoverTranslate = Translate<typeof zh>;

export function useHandoverTexts(): HandoverTranslate {
  return useTranslate(useChat().services.i18n, handoverTexts);
}
