xdg-open 'http://127.0.0.1:8080/__/auth/login/site?to=/'
