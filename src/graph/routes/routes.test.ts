import { expect, test } from 'vitest';
import { describeRoutes } from '../../testing/describe-routes.ts';
import { fileRoutes, fitsRoute, readRoutes } from './routes.ts';

test('Express: routers, handlers behind middleware, routers below a path, chains', () => {
  const text = `import express from 'express';
const app = express();
const users = express.Router();
// app.get('/commented', no);
users.get('/:id', requireLogin, controller.show);
users.post('/', async (req, res) => { res.send(cache.get('/key')); });
app.use('/users', users);
app.all('/any', any).delete('/any', remove);
const mail = client.get('/other', options);
app.use(express.static('public'));
`;

  expect(describeRoutes('TypeScript', text)).toEqual([
    'GET /:id show',
    'POST /',
    'ANY /any any',
    'DELETE /any remove',
    '/users < users',
    '-> GET /other',
  ]);
});

test('Fastify: methods, route objects, plugins below a prefix', () => {
  const text = `export default async function routes(fastify, options) {
  fastify.get('/', listOrders);
  fastify.route({ method: ['PUT', 'PATCH'], url: '/orders/:id', schema: {}, handler: changeOrder });
  fastify.register(adminRoutes, { prefix: '/admin' });
}
`;

  expect(describeRoutes('JavaScript', text, { named: new Set(['fastify']) })).toEqual([
    'GET / listOrders',
    'PUT /orders/:id changeOrder',
    'PATCH /orders/:id changeOrder',
    '/admin < adminRoutes',
  ]);
  expect(describeRoutes('JavaScript', text)).toEqual([]);
});

test('Hono and Koa: base paths, several methods, routers with a prefix', () => {
  const hono = `import { Hono } from 'hono';
const books = new Hono().basePath('/books');
books.get('/:id', (c) => c.json({}));
const app = new Hono();
app.on(['PUT', 'DELETE'], '/post', change);
app.route('/v1', books);
`;
  const koa = `const Router = require('@koa/router');
const router = new Router({ prefix: '/users' });
router.get('/:id', show);
app.use(router.routes());
`;

  expect(describeRoutes('TypeScript', hono)).toEqual([
    'GET /books/:id',
    'PUT /post change',
    'DELETE /post change',
    '/v1 < books',
  ]);
  expect(describeRoutes('JavaScript', koa)).toEqual(['GET /users/:id show']);
});

test('Nest: a controller and the marks of its methods', () => {
  const text = `import { Controller, Get, Post } from '@nestjs/common';
@Controller('cats')
export class CatsController {
  @Get(':id')
  findOne(@Param('id') id: string) {}

  @Post()
  create() {}

  @Put(paths.cats.one)
  change() {}
}
`;

  expect(describeRoutes('TypeScript', text)).toEqual([
    'GET /cats/:id line 4',
    'POST /cats line 7',
    'PUT /cats/{paths.cats.one} line 10',
  ]);
});

test('Flask and FastAPI: marks, methods, prefixes, what is included where', () => {
  const flask = `from flask import Flask, Blueprint
bp = Blueprint('auth', __name__, url_prefix='/auth')
@bp.route('/login', methods=['GET', 'POST'])
def login():
    return ''
app.register_blueprint(bp, url_prefix='/v1')
app.add_url_rule('/index', view_func=index)
`;
  const fastapi = `from fastapi import APIRouter
router = APIRouter(prefix="/items", tags=["items"])

@router.get("/{item_id}", response_model=Item)
async def read_item(item_id: str):
    ...
app.include_router(users.router, prefix="/users")
`;

  expect(describeRoutes('Python', flask)).toEqual([
    'GET /auth/login line 3',
    'POST /auth/login line 3',
    'GET /index index',
    '/v1 < bp',
  ]);
  expect(describeRoutes('Python', fastapi)).toEqual(['GET /items/{item_id} line 4', '/users < users']);
});

test('Django: lists of URLs, patterns, other lists below a path', () => {
  const text = `from django.urls import include, path, re_path
urlpatterns = [
    path('articles/<int:year>/', views.year_archive, name='year'),
    re_path(r'^articles/(?P<slug>[\\w-]+)/$', views.ArticleView.as_view()),
    path('shop/', include('shop.urls')),
    path('api/', include([path('status/', views.status)])),
]
`;

  expect(describeRoutes('Python', text, { path: 'site/urls.py' })).toEqual([
    'ANY /articles/<int:year> year_archive',
    'ANY /articles/<slug> ArticleView',
    'ANY /api/status status',
    '/shop < shop.urls',
  ]);
});

test('Spring: a class with its path, methods with theirs', () => {
  const text = `import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/users")
public class UserController {
  @GetMapping("/{id}")
  public User show(@PathVariable long id) { return null; }

  @RequestMapping(value = "/search", method = RequestMethod.POST)
  public List<User> search() { return null; }
  @DeleteMapping
  void clear() {}
}
`;

  expect(describeRoutes('Java', text)).toEqual([
    'GET /users/{id} line 5',
    'POST /users/search line 8',
    'DELETE /users line 10',
  ]);
});

test('Gin, Echo, chi and net/http: groups, nested routes, methods in patterns', () => {
  const gin = `import "github.com/gin-gonic/gin"
func main() {
  r := gin.Default()
  v1 := r.Group("/v1")
  admin := v1.Group("/admin")
  admin.POST("/login", middleware(), loginEndpoint)
  r.Handle("GET", "/ping", func(c *gin.Context) {})
}`;
  const echo = `import "github.com/labstack/echo/v4"
func main() { e.GET("/users/:id", getUser, mw) }`;
  const chi = `import "github.com/go-chi/chi/v5"
func main() {
  r.Route("/articles", func(r chi.Router) {
    r.Get("/", listArticles)
    r.Post("/", s.CreateArticle())
    r.Route("/{id}", func(r chi.Router) { r.Put("/", h.update) })
  })
  r.Mount("/admin", adminRouter())
}`;
  const http = `import "net/http"
func main() { mux.HandleFunc("POST /items/{id}", create); http.Handle("/static/", files) }`;

  expect(describeRoutes('Go', gin)).toEqual(['POST /v1/admin/login loginEndpoint', 'GET /ping']);
  expect(describeRoutes('Go', echo)).toEqual(['GET /users/:id getUser']);
  expect(describeRoutes('Go', chi)).toEqual([
    'GET /articles listArticles',
    'POST /articles CreateArticle',
    'PUT /articles/{id} update',
    '/admin < adminRouter',
  ]);
  expect(describeRoutes('Go', http)).toEqual(['POST /items/{id} create', 'ANY /static files']);
});

test('axum and Actix: method routers, nests, attributes, resources in scopes', () => {
  const axum = `use axum::{routing::get, Router};
fn app() -> Router {
  Router::new().route("/users/{id}", get(users::show).post(create_user)).nest("/api", api::routes())
}`;
  const actix = `use actix_web::{get, web, App};
#[get("/users/{id}")]
async fn show(path: web::Path<u32>) -> String { String::new() }
fn config(cfg: &mut web::ServiceConfig) {
  cfg.service(web::scope("/api").route("/items", web::post().to(add_item)).service(web::resource("/all").route(web::get().to(list))));
}`;

  expect(describeRoutes('Rust', axum)).toEqual([
    'GET /users/{id} show',
    'POST /users/{id} create_user',
    '/api < routes',
  ]);
  expect(describeRoutes('Rust', actix)).toEqual([
    'GET /users/{id} line 2',
    'POST /api/items add_item',
    'GET /api/all list',
  ]);
});

test('Rails: verbs, resources with members and collections, modules, what is optional or leads elsewhere', () => {
  const rails = `Rails.application.routes.draw do
  root 'home#index'
  get '/about', to: 'pages#about'
  get '/login' => 'login#index', :as => 'login'
  get '/old', to: redirect('/new')
  get '/top(/:length(/page/:page))' => 'home#top'
  match '/password' => 'login#password', :via => [:get, :post]
  post 'stories/check'
  namespace :admin do
    resources :users, only: [:index, :show] do
      post 'ban', to: 'users#ban'
    end
  end
  resources :stories, except: %i[index new create edit update destroy], param: :slug do
    get 'preview'
    resources :replies, only: :create
    member do
      post :flag, :hide
    end
    collection do
      get 'newest'
    end
    get 'feed', on: :collection
  end
  resource :category, only: [:show]
  scope '/api', module: 'v1' do
    get 'me', to: 'users#me'
  end
  concern :kept do
    post 'keep'
  end
end
`;

  expect(describeRoutes('Ruby', rails, { path: 'config/routes.rb' })).toEqual([
    'GET / HomeController#index',
    'GET /about PagesController#about',
    'GET /login LoginController#index',
    'GET /old',
    'GET /top HomeController#top',
    'GET /password LoginController#password',
    'POST /password LoginController#password',
    'POST /stories/check StoriesController#check',
    'GET /admin/users UsersController#index',
    'GET /admin/users/:id UsersController#show',
    'POST /admin/users/:user_id/ban UsersController#ban',
    'GET /stories/:slug StoriesController#show',
    'GET /stories/:story_slug/preview StoriesController#preview',
    'POST /stories/:story_slug/replies RepliesController#create',
    'POST /stories/:slug/flag StoriesController#flag',
    'POST /stories/:slug/hide StoriesController#hide',
    'GET /stories/newest StoriesController#newest',
    'GET /stories/feed StoriesController#feed',
    'GET /category CategoriesController#show',
    'GET /api/me UsersController#me',
  ]);
  const { routes } = readRoutes({ path: 'config/routes.rb', language: 'Ruby', text: rails }, new Set(['rails']));
  const files = routes.flatMap(({ handler }) => (handler !== undefined && 'file' in handler ? [handler.file] : []));
  expect(files).toEqual(expect.arrayContaining(['/admin/users_controller.rb', '/v1/users_controller.rb']));
});

test('Laravel: resources, groups, actions of controllers', () => {
  const laravel = `<?php
use Illuminate\\Support\\Facades\\Route;
Route::get('/users/{id}', [UserController::class, 'show']);
Route::prefix('admin')->group(function () {
    Route::post('/posts', 'PostController@store');
});
Route::middleware('auth')->get('/me', MeController::class);
`;

  expect(describeRoutes('PHP', laravel)).toEqual([
    'GET /users/{id} UserController#show',
    'POST /admin/posts PostController#store',
    'GET /me MeController#__invoke',
  ]);
});

const at = (path: string, names: string[] = []): string[] =>
  fileRoutes(
    path,
    names.map((name, line) => ({ name, line: line + 1 })),
    new Set(['next', 'sveltekit']),
  ).map(({ method, path: url }) => `${method} ${url}`);

test('Next and SvelteKit: the place of a file is its address', () => {
  expect(at('app/(shop)/orders/[id]/route.ts', ['GET', 'DELETE', 'helper'])).toEqual([
    'GET /orders/:id',
    'DELETE /orders/:id',
  ]);
  expect(at('src/app/blog/[...slug]/page.tsx')).toEqual(['GET /blog/:slug']);
  expect(at('pages/api/users/index.ts', ['default'])).toEqual(['ANY /api/users']);
  expect(at('pages/_app.tsx')).toEqual([]);
  expect(at('src/routes/items/[id=integer]/+server.ts', ['PATCH'])).toEqual(['PATCH /items/:id']);
  expect(at('src/routes/about/+page.svelte')).toEqual(['GET /about']);
  expect(at('src/lib/page.ts')).toEqual([]);
});

test('requests of wrappers, of clients that a call or an expression gives, and below the base of a client', () => {
  const web = `fetchWithToken('/stories/' + id);
authFetch('/me', { method: 'POST' });
createAxios().put(\`tournaments/\${id}/courts\`, court);
useSWR('users/me', load);
(options.client ?? client).delete({ url: '/users/{id}', ...options });
client.get('user');
fetchAll(users);
(cache ?? store).get({ url: link });
`;

  expect(describeRoutes('TypeScript', web)).toEqual([
    '-> GET /stories/:param',
    '-> POST /me',
    '-> PUT /tournaments/:param/courts',
    '-> GET /users/me',
    '-> DELETE /users/{id}',
  ]);
});

test('requests by fetch, axios, httpx and requests; parameters stand for what is inserted', () => {
  const web =
    "fetch(`${base}/api/users/${id}`, { method: 'DELETE' });\naxios.post('https://shop.example/orders', order);\nawait axios({ url: '/carts', method: 'put' });\nhttp.get(root + '/items/' + id);\nfetch(url);\n";
  const python = 'import requests\nrequests.get(f"{BASE}/v1/users/{name}", timeout=3)\n';

  expect(describeRoutes('TypeScript', web)).toEqual([
    '-> DELETE /api/users/:param',
    '-> POST /orders',
    '-> PUT /carts',
    '-> GET /items/:param',
  ]);
  expect(describeRoutes('Python', python)).toEqual(['-> GET /v1/users/:param']);
});

test.each([
  ['/users/:param', '/users/{id}', 1],
  ['/api/users/:param/orders', '/users/<int:id>/orders', 2],
  ['/api/users', '/users', 0],
  ['/users', '/users/:id', 0],
  ['/users/me', '/users/:id', 1],
  ['/orders/7', '/users/:id', 0],
  ['/api/v1/users', '/{settings.API_V1_STR}/users', 1],
  ['/shop/eu/users', '/{settings.API_V1_STR}/users', 0],
])('a request to %s and the route %s have %i parts in common', (request, route, same) => {
  expect(fitsRoute(request, route)).toBe(same);
});

test('a quote in a pattern or in the text of a page hides no route', () => {
  const text = `import express from 'express';
const app = express();
const quoted = (name) => name.replace(/["'\`]/g, '');
app.get('/a', list);
const page = <p>don't</p>;
app.get('/b', list);
return /[/"]/.test(name) ? 1 : 2; app.get('/c', list);
const half = size / 2; app.get('/d', list);
`;

  expect(describeRoutes('TypeScript', text)).toEqual(['GET /a list', 'GET /b list', 'GET /c list', 'GET /d list']);
});
