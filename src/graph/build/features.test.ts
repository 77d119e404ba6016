import { expect, test } from 'vitest';
import { withIndexed } from '../../testing/indexed-code.ts';
import { featuresOf } from '../../testing/features.ts';

const FLASK = {
  'requirements.txt': 'flask\nflask-sqlalchemy\n',
  'app/__init__.py': `from flask import Flask
from flask_sqlalchemy import SQLAlchemy
db = SQLAlchemy()
def create_app():
    app = Flask(__name__)
    from app.auth import bp as auth_bp
    app.register_blueprint(auth_bp, url_prefix='/auth')
    from app.main import bp
    app.register_blueprint(bp)
    return app
`,
  'app/auth/__init__.py':
    'from flask import Blueprint\nbp = Blueprint("auth", __name__)\nfrom app.auth import routes\n',
  'app/auth/routes.py': `from app import db
from app.auth import bp
@bp.route('/login')
def login():
    return ''
`,
  'app/main/__init__.py':
    'from flask import Blueprint\nbp = Blueprint("main", __name__)\nfrom app.main import routes\n',
  'app/main/routes.py': `from app.main import bp
from app.search import find
from app.models import Post
@bp.route('/search')
def search():
    return find(Post)
@bp.route('/posts/<int:id>')
def show(id):
    return ''
@bp.route('/edit_profile', methods=['POST'])
def edit_profile():
    return ''
`,
  'app/search.py': 'from app.engine import ask\ndef find(model):\n    return ask(model)\n',
  'app/engine.py': 'def ask(model):\n    return model\n',
  'app/models.py': `from app import db
class Post(db.Model):
    pass
class Notice(Mixin, db.Model):
    pass
class Helper:
    pass
`,
  'app/widgets/button.py': 'A = 1\n',
  'app/widgets/panel.py': 'A = 1\n',
  'app/cli.py': `import click
@app.cli.group()
def translate():
    pass
@translate.command()
def init():
    pass
@app.cli.command('clean')
def clean_up():
    pass
`,
};

test('features are routes below their mounts, models and commands, with the files that show them and those that only they use', () =>
  withIndexed(FLASK, (db) => {
    expect(featuresOf(db)).toEqual({
      auth: ['app/auth/__init__.py', 'app/auth/routes.py', 'GET /auth/login'],
      clean: ['app/cli.py'],
      notice: ['app/models.py'],
      post: ['app/main/routes.py', 'app/models.py', 'GET /posts/<int:id>'],
      profile: ['app/main/routes.py', 'POST /edit_profile'],
      search: ['app/engine.py', 'app/main/routes.py', 'app/search.py', 'GET /search'],
      translate: ['app/cli.py'],
    });
  }));

const LIBRARY = {
  'package.json': '{ "name": "waiting", "version": "1.0.0", "exports": "./src/index.ts" }\n',
  'src/index.ts': `import { later } from './timer.ts';
export { Queue } from './queue.ts';
export { WaitError, Timeout } from './errors.ts';
export const start = (): void => later();
`,
  'src/queue.ts': 'export class Queue {}\n',
  'src/timer.ts': 'export function later(): void {}\n',
  'src/errors.ts':
    'export class WaitError extends Error {}\nexport class StopError extends Error {}\nexport class Timeout extends Error {}\n',
};

test('features of a library are what it publishes, without its errors and what it only uses itself', () =>
  withIndexed(LIBRARY, (db) => {
    expect(featuresOf(db)).toEqual({
      queue: ['src/queue.ts'],
      start: ['src/errors.ts', 'src/index.ts', 'src/timer.ts'],
    });
  }));

const PACKAGE = {
  'pyproject.toml': '[project]\nname = "shapes"\n',
  'README.md': '# Shapes\n\n## Queue\n',
  '.kiro/specs/a/design.md': '# Design\n\n## Buffer\n',
  'src/shapes/__init__.py':
    'from shapes.schema import Schema, SchemaOptions\nfrom shapes.decorators import before, after, around\nfrom shapes.utils import LATER\n',
  'src/shapes/schema.py': 'from shapes.buffer import Buffer\nclass SchemaOptions: pass\nclass Schema: pass\n',
  'src/shapes/decorators.py': 'def before(): pass\ndef after(): pass\ndef around(): pass\n',
  'src/shapes/fields.py': 'class Text: pass\nclass Number: pass\nclass Day: pass\n',
  'src/shapes/utils.py': 'LATER = 1\n',
  'src/shapes/_clock.py': 'class Clock: pass\n',
  'src/shapes/inner/buffer.py': 'class Buffer: pass\n',
  'examples/shop.py': 'from django.db import models\nclass Author(models.Model):\n    pass\n',
};

test('features of a Python library are its modules by what they are called, without constants, examples and headings of plans', () =>
  withIndexed(PACKAGE, (db) => {
    expect(Object.keys(featuresOf(db))).toEqual(['decorator', 'schema']);
  }));

test('what most of the code is called by is the product, and an action in a file of its own is a feature', () =>
  withIndexed(
    {
      'package.json': '{ "workspaces": ["server"], "dependencies": { "hono": "4.0.0" } }\n',
      'server/package.json': '{ "name": "@shop/checkout" }\n',
      'README.md': '# Checkout\n',
      'server/src/logout.ts': `import { Hono } from 'hono';
export function logoutRoutes(): Hono {
  const app = new Hono();
  app.post('/logout', async (c) => c.json({}));
  return app;
}
`,
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e'].map((name) => [`server/src/${name}.ts`, 'export const x = 1;\n']),
      ),
    },
    (db) => {
      expect(Object.keys(featuresOf(db))).toEqual(['logout']);
    },
  ));

const PROGRAM = {
  'Cargo.toml': '[package]\nname = "tint"\nversion = "1.0.0"\n',
  'src/main.rs': `use clap::{Command, Subcommand};
#[derive(Subcommand)]
enum Commands {
    /// Adds one.
    AddColor { name: String },
    Mix(MixArgs),
}
fn main() {
    Command::new("tint").subcommand(Command::new("config"));
}
`,
};

test('commands are features by their whole names, the program itself is none', () =>
  withIndexed(PROGRAM, (db) => {
    expect(Object.keys(featuresOf(db))).toEqual(['add-color', 'config', 'mix']);
  }));

test('a first word that most routes share is where they are, the next one says what they are about', () =>
  withIndexed(
    {
      'package.json': '{ "dependencies": { "express": "5.0.0" } }\n',
      'src/app.ts': `import express from 'express';
const app = express();
${['orders', 'carts', 'users', 'refunds'].map((name) => `app.get('/shop/${name}', (a, b) => b.end());\napp.post('/shop/${name}/:id', (a, b) => b.end());`).join('\n')}
app.get('/health', (a, b) => b.end());
`,
    },
    (db) => {
      expect(Object.keys(featuresOf(db))).toEqual(['cart', 'health', 'order', 'refund', 'user']);
    },
  ));
