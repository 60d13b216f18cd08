import { useRef } from 'react';
import { useDesk } from './desk.ts';
import { Icon } from './icon.tsx';
import { useRoom } from './use-room.ts';
import { useStream } from './use-stream.ts';

const WORDS = {
  zh: {
    remote: '{remote} 来自 {address}，仅此浏览器，至 {until}',
    composition: '正在预览没有上线的组合 {id}，仅此浏览器，至 {until}',
    leave: '退出预览',
  },
  en: {
    remote: '{remote} comes from {address}, in this browser alone, until {until}',
    composition: 'Preview of {id}, which is not live, in this browser alone, until {until}',
    leave: 'Leave preview',
  },
};

/** This page is not what others see: says what is different, from where and until when, and leads back. */
export default function OverrideBanner() {
  const { composition, i18n } = useDesk();
  useStream(i18n.language$);
  const notice = useRef<HTMLDivElement>(null);
  useRoom(notice, '--over');
  const say = i18n.translator(WORDS);
  const { override, id } = composition;
  if (!override) return null;
  const until = untilText(new Date(override.expiresAt), i18n.locale());
  const text =
    override.kind === 'remote'
      ? say('remote', { remote: override.remote, address: new URL(override.address).host, until })
      : say('composition', { id: id.slice(0, 8), until });
  return (
    <div ref={notice} className="notice override" role="status">
      <div className="banner">
        <Icon name="info" />
        <p>{text}</p>
        <a className="button" href="/chatbot/override/leave">
          {say('leave')}
        </a>
      </div>
    </div>
  );
}

/** 15:30, with its day where that is not today. */
function untilText(end: Date, locale: string): string {
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(end);
  if (end.toDateString() === new Date().toDateString()) return time;
  if (locale !== 'en') return `${end.getMonth() + 1} 月 ${end.getDate()} 日 ${time}`;
  return `${new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(end)} ${time}`;
}
