/** `dist/release.json`: describes a release. The API derives import map, preload links and composition of the page from it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { page } from './dev-page.js';
import { containerName, contractVersion, deskOf, installed, root } from './project.js';
import { RANGES, SHARED } from './shared.js';

/**
 * Runs before a lazy style sheet is fetched: sets its integrity from the page, since import maps do not cover
 * style sheets. Another release of the remote in this page has chunks with the same names, so the loader must
 * recognise a sheet by its URL only.
 */
const PREPARE_STYLE = `link.integrity = JSON.parse(document.getElementById('styles')?.textContent || '{}')[link.href.replace(location.origin, '')] || '';
link.removeAttribute('data-rspack');`;

/** Files of a remote's build that only other Module Federation hosts load, see host/src/shared/own-runtime.js. */
export const FOR_OTHER_HOSTS = /^(own-(runtime|libraries)\.|mf-manifest\.json$)/;

/** Writes `release.json`; the host's has its page, with icons and a placeholder for the head. */
export class ReleasePlugin {
  constructor({ name, version, exposes = [], texts = {}, firstState }) {
    Object.assign(this, { name, version, exposes, texts, firstState });
  }

  apply(compiler) {
    compiler.hooks.thisCompilation.tap('ReleasePlugin', (compilation) => {
      compilation.hooks.finishModules.tap('ReleasePlugin', (modules) => refuseStandIns(compilation, modules));
      compiler.rspack.RuntimePlugin.getCompilationHooks(compilation).createLink.tap(
        'ReleasePlugin',
        (code) => `${code}\n${PREPARE_STYLE}`,
      );
      const stage = compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT;
      compilation.hooks.processAssets.tap({ name: 'ReleasePlugin', stage }, () =>
        this.emit(compiler, compilation),
      );
    });
  }

  emit(compiler, compilation) {
    nameMapsByContent(compilation, compiler.rspack.sources);
    // Nobody reads it, and its lists depend on the order in which modules are built.
    if (compilation.assets['mf-stats.json']) compilation.deleteAsset('mf-stats.json');
    const write = (name, text) => compilation.emitAsset(name, new compiler.rspack.sources.RawSource(text));
    const isHost = this.name === 'host';
    const assetsOf = (part, group) => {
      const files = [...new Set([...(group?.chunks ?? [])].flatMap((chunk) => [...chunk.files]))];
      const texts = this.texts[part];
      return {
        js: files.filter((file) => file.endsWith('.js')),
        css: files.filter((file) => file.endsWith('.css')),
        ...(texts && { texts: textFiles(compilation, compiler.context, texts) }),
      };
    };
    const exposes = Object.fromEntries(
      this.exposes.map((key) => [key, assetsOf(key, compilation.namedChunkGroups.get(key.slice(2)))]),
    );
    const entryName = isHost ? 'main' : containerName(this.name);
    const entry = assetsOf('main', compilation.entrypoints.get(entryName));
    const release = {
      name: this.name,
      version: this.version,
      container: isHost ? undefined : containerName(this.name),
      contract: contractVersion(),
      commit: commitOf(compiler.context),
      entry: entry.js.at(-1),
      entryFiles: entry,
      exposes,
      shared: Object.fromEntries(
        Object.keys(SHARED).map((library) => [library, isHost ? installed(library) : RANGES[library]]),
      ),
      facades: isHost ? Object.keys(SHARED).filter((library) => SHARED[library].facade) : undefined,
      ...deskOf(compiler.context),
      template: isHost ? page('<!--head-->') : undefined,
      styleMarks: styleMarks(compilation),
      firstStates: this.firstState?.states,
      files: Object.keys(compilation.assets)
        .filter((file) => !FOR_OTHER_HOSTS.test(file))
        .sort(),
    };
    write('release.json', `${JSON.stringify(release, null, 2)}\n`);
  }
}

/** The scripts with these files of `locales/<language>`, by language. */
function textFiles(compilation, dir, names) {
  const chunksOf = (language, name) => {
    const group = compilation.namedChunkGroups.get(`${language}-${name}-json`);
    if (!group) throw new Error(`${name} must be a file of locales/${language} that the release imports`);
    return group.chunks;
  };
  const scripts = (language) =>
    names.flatMap((name) => chunksOf(language, name).flatMap((chunk) => [...chunk.files]));
  return Object.fromEntries(
    readdirSync(path.join(dir, 'locales'))
      .sort()
      .map((language) => [language, scripts(language)]),
  );
}

/** `chat.1a2b….js.map` becomes `chat.1a2b….0f1e….map`: each file is named by its own content. */
function nameMapsByContent(compilation, { RawSource }) {
  for (const name of Object.keys(compilation.assets)) {
    if (!name.endsWith('.map')) continue;
    const map = compilation.assets[name].source().toString();
    compilation.deleteAsset(name);
    // Style sheets need no maps.
    if (!name.endsWith('.js.map')) continue;
    const text = withoutPlaces(map);
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
    compilation.emitAsset(name.replace(/js\.map$/, `${hash}.map`), new RawSource(text));
  }
}

/** Modules are named relative to the workspace or node_modules; generated code has no text. */
function withoutPlaces(text) {
  const map = JSON.parse(text);
  const isGenerated = (source) => source.startsWith('data:') || !/\/src\/|\/node_modules\//.test(source);
  map.sourcesContent = map.sourcesContent?.map((content, at) =>
    isGenerated(map.sources[at]) ? null : content,
  );
  map.sources = map.sources.map((source) =>
    source.startsWith('data:')
      ? 'webpack:///generated'
      : source
          .replace(/^(webpack:\/\/[^/]*\/).*\/node_modules\//, '$1node_modules/')
          .replace(/\/(?:\.\.?\/)+/, '/'),
  );
  return JSON.stringify(map);
}

/** Stand-ins for a host or a server are for tests and standalone pages: a release must not contain them. */
function refuseStandIns(compilation, modules) {
  for (const { resource } of modules)
    if (/[\\/]src[\\/]testing[\\/]/.test(resource ?? ''))
      compilation.errors.push(new Error(`a release must not carry ${path.relative(root, resource)}`));
}

/** Marks by which the bundler's loader finds style sheets in the page, so that it does not add them again. */
function styleMarks({ chunks, outputOptions }) {
  const marks = [...chunks].flatMap((chunk) =>
    [...chunk.files]
      .filter((file) => file.endsWith('.css'))
      .map((file) => [file, `${outputOptions.uniqueName}:chunk-${chunk.id}`]),
  );
  return Object.fromEntries(marks.sort());
}

/** The git commit, with `-dirty` for uncommitted changes; null outside a repository. */
function commitOf(dir) {
  const git = (...words) =>
    execFileSync('git', words, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', 'HEAD') + (git('status', '--porcelain', '--', '.') === '' ? '' : '-dirty');
  } catch {
    return null; // No repository, no commit yet, or no git.
  }
}
