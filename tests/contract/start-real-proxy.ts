import { execFileSync, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from '../../api/src/cli/compose/commands/smoke/find-browser.ts';
import { freePort } from '../start-desk.ts';

const deploy = path.join(import.meta.dirname, '../../deploy');

export const proxies = ['nginx', 'haproxy', 'caddy'] as const;
type ProxyName = (typeof proxies)[number];

/** Path of the proxy's program; undefined if it is not installed: `apt-get install nginx haproxy caddy`. */
export function findProxy(name: ProxyName): string | undefined {
  return findProgram([name], `${process.env.PATH}:/usr/sbin`);
}

export interface RunningProxy {
  /** https://localhost:<port>, with the base path. */
  url: string;
  /** Its self-signed certificate, as PEM. */
  certificate: string;
  stop(): Promise<void>;
}

/**
 * Starts a proxy with its configuration in deploy/, for the processes on these two ports. Only addresses, ports and the certificate are replaced.
 * With a `basePath`, it serves the desk below it; nginx also removes it from most requests.
 */
export async function startRealProxy(
  name: ProxyName,
  ports: readonly [number, number],
  { port: given, basePath = '' }: { port?: number; basePath?: '' | '/desk' } = {},
): Promise<RunningProxy> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `desk-${name}-`));
  await chmod(folder, 0o755);
  const port = given ?? (await freePort());
  const [cert, key, both] = ['desk.pem', 'desk.key', 'desk-with-key.pem'].map((file) =>
    path.join(folder, file),
  );
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      ...subject,
      '-keyout',
      key!,
      '-out',
      cert!,
    ],
    { stdio: 'ignore' },
  );
  await writeFile(both!, (await readFile(cert!, 'utf8')) + (await readFile(key!, 'utf8')));
  const file = { nginx: 'nginx.conf', haproxy: 'haproxy.cfg', caddy: 'Caddyfile' }[name];
  const config = (await readFile(path.join(deploy, file), 'utf8'))
    .replaceAll(/(?<=location (= )?)\//g, `${basePath}/`)
    .replace('proxy_pass http://desk;', basePath ? 'proxy_pass http://desk/;' : 'proxy_pass http://desk;')
    .replace(/(?<=instead: )(.*)\n.*/, basePath ? '\n$1' : '$&')
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${ports[0]}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${ports[1]}`)
    .replace('listen 443', `listen ${port}`)
    .replace('bind :443', `bind :${port}`)
    .replace('# A certificate of your own: tls', 'tls')
    .replaceAll('/etc/ssl/desk', path.join(folder, 'desk'))
    .replace(
      /^\{\$DESK_HOST:desk\.example\} \{/m,
      `{\n  admin off\n  auto_https disable_redirects\n}\nhttps://localhost:${port} {`,
    )
    .replace('server_name desk.example', 'server_name localhost');
  await writeFile(path.join(folder, file), config);
  const args = await {
    nginx: async () => {
      await mkdir(path.join(folder, 'temp'));
      const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((kind) => `${kind}_temp_path ${folder}/temp/${kind};`)
        .join(' ');
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      await writeFile(
        path.join(folder, 'main.conf'),
        `daemon off; ${user} pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents {} http { access_log off; ${temp} include ${folder}/nginx.conf; }`,
      );
      return ['-p', folder, '-e', path.join(folder, 'error.log'), '-c', path.join(folder, 'main.conf')];
    },
    haproxy: async () => ['-db', '-f', path.join(folder, file)],
    caddy: async () => ['run', '--adapter', 'caddyfile', '--config', path.join(folder, file)],
  }[name]();
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(findProxy(name)!, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed = (printed + chunk).slice(-10_000);
    });
  const end = new Promise((resolve) => child.on('exit', resolve));
  const url = `https://localhost:${port}${basePath}`;
  for (let tries = 0; ; tries++) {
    const answer = await send(url, '/readyz').catch(() => undefined);
    if (answer?.status === 200) break;
    if (tries === 200 || child.exitCode !== null) {
      child.kill('SIGKILL');
      throw new Error(`${name} was not ready:\n${printed}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    certificate: await readFile(cert!, 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await end;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The client's address. */
  from?: string;
  agent?: https.Agent;
}

export interface Received {
  status: number;
  headers: IncomingMessage['headers'];
  /** The whole body. */
  text(): Promise<string>;
  body: IncomingMessage;
}

/** A request over TLS whose certificate is not verified. */
export function send(
  url: string,
  to: string,
  { method = 'GET', headers = {}, body, from, agent }: Sent = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const request = https.request(
      url + to,
      {
        method,
        headers: { ...(body ? { 'Content-Length': Buffer.byteLength(body) } : {}), ...headers },
        rejectUnauthorized: false,
        family: 4,
        ...(from ? { localAddress: from } : {}),
        ...(agent ? { agent } : {}),
      },
      (response) => {
        response.on('error', () => undefined);
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: response,
          async text() {
            let all = '';
            response.setEncoding('utf8');
            for await (const chunk of response) all += chunk;
            return all;
          },
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
