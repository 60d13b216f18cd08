import { BASE } from '../routes.ts';

/** Replaces the whole frame after it has thrown. Uses no services, which may be the cause. */
export function FrameFailed() {
  const isEnglish = document.documentElement.lang === 'en';
  return (
    <main id="main" tabIndex={-1}>
      <div className="failed" role="alert">
        <h1>{isEnglish ? 'Something went wrong' : '页面出错了'}</h1>
        <p>{isEnglish ? 'Your draft is saved on this device.' : '草稿已保存在本机。'}</p>
        <div className="row">
          <a className="button primary" href={location.href}>
            {isEnglish ? 'Reload' : '刷新'}
          </a>
          <a className="button" href={`${BASE}/`}>
            {isEnglish ? 'Go to the start page' : '回到首页'}
          </a>
        </div>
      </div>
    </main>
  );
}
