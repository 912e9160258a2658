# SPDX-License-Identifier: Apache-2.0

require "cgi"
require "net/http"
require "uri"

# The person's browser: follows redirects with cookies and continues to the app.
class Browser
  MOST_PAGES = 20
  # The form of the page "Continue to APP", which the broker shows if the redirect URI is not https.
  FORM = /<form method="post" action="([^"]*)" id="proceed">\s*<input type="hidden" name="login" value="([^"]*)"/

  def initialize(certificates)
    @certificates = certificates
    @cookies = Hash.new { |cookies, host| cookies[host] = {} }
  end

  # Returns the parameters with which the redirect URI was called.
  def open(start, redirect_uri)
    address = URI(start)
    request = Net::HTTP::Get.new(address)
    MOST_PAGES.times do
      response = send_request(address, request)
      case response
      when Net::HTTPRedirection
        address = URI.join(address, response["location"])
        return URI.decode_www_form(address.query).to_h if address.to_s.start_with?("#{redirect_uri}?")

        request = Net::HTTP::Get.new(address)
      when Net::HTTPOK
        address, request = continuation(address, response.body)
      else
        raise "#{address.host}:#{address.port}#{address.path} responded with #{response.code}"
      end
    end
    raise "the redirects do not end"
  end

  private

  def send_request(address, request)
    cookies = @cookies["#{address.host}:#{address.port}"]
    request["Cookie"] = cookies.map { |name, value| "#{name}=#{value}" }.join("; ") unless cookies.empty?
    http = Net::HTTP.new(address.host, address.port, nil)
    http.use_ssl = address.scheme == "https"
    http.ca_file = @certificates
    http.open_timeout = http.read_timeout = 15
    response = http.start { http.request(request) }
    response.get_fields("set-cookie")&.each do |field|
      name, value = field[/\A[^;]*/].split("=", 2)
      field.match?(/;\s*Max-Age=0/i) ? cookies.delete(name) : cookies[name] = value
    end
    response
  end

  def continuation(page, text)
    action, login = text.match(FORM)&.captures
    raise "#{page.host}:#{page.port}#{page.path} responded with a page that has no way on" unless action

    address = URI.join(page, CGI.unescapeHTML(action))
    request = Net::HTTP::Post.new(address)
    request.set_form_data("login" => CGI.unescapeHTML(login))
    request["Origin"] = "#{page.scheme}://#{page.host}:#{page.port}"
    [address, request]
  end
end
