import { useDesk } from './desk.ts';
import { Icon } from './icon.tsx';
import { useStream } from './use-stream.ts';

const WORDS = {
  zh: {
    remote: '{remote} 来自 {address}，只有这个浏览器如此，到 {until} 为止',
    composition: '这一页是没有上线的组合 {id}，只有这个浏览器如此，到 {until} 为止',
    leave: '退出',
  },
  en: {
    remote: '{remote} comes from {address}, in this browser alone, until {until}',
    composition: 'This page is composition {id}, which is not live, in this browser alone, until {until}',
    leave: 'Leave',
  },
};

/** This page is not what others see: says what is different, from where and until when, and leads back. */
export default function OverrideBanner() {
  const { composition, i18n } = useDesk();
  useStream(i18n.language$);
  const say = i18n.translator(WORDS);
  const { override, id } = composition;
  if (!override) return null;
  const until = new Intl.DateTimeFormat(i18n.locale(), { timeStyle: 'short', dateStyle: 'short' }).format(
    new Date(override.expiresAt),
  );
  const text =
    override.kind === 'remote'
      ? say('remote', { remote: override.remote, address: new URL(override.address).host, until })
      : say('composition', { id: id.slice(0, 8), until });
  return (
    <div className="notice override" role="status">
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
