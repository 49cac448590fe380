//! A real browser, for pages: Chromium without a window, driven over WebDriver.
//!
//! Only the small part of the protocol that tests need. Each browser has a profile of its own, which vanishes with it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What the reader's system prefers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    Light,
    Dark,
}

pub struct Browser {
    driver: Child,
    /// Where the driver listens, with the session.
    session: String,
    /// Removed after the browser has ended.
    profile: TempDir,
}

const OPTIONS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A click must not meet a page that still scrolls.
    "--force-prefers-reduced-motion",
    "--window-size=1280,900",
];
/// Seconds the driver may take for one answer.
const PATIENCE: u64 = 60;

impl Browser {
    pub fn open() -> Result<Browser> {
        let driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .stdin(Stdio::null())
            .spawn()
            .context("chromedriver cannot be started; run `./x setup` first")?;
        // Dropped, it ends the driver.
        let mut browser = Browser { driver, session: String::new(), profile: TempDir::new()? };
        let port = port(&mut browser.driver)?;
        let address = format!("http://127.0.0.1:{port}");
        let folder = format!("--user-data-dir={}", browser.profile.path().display());
        let options: Vec<&str> = OPTIONS.into_iter().chain([folder.as_str()]).collect();
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": options },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let answer = send(minreq::post(format!("{address}/session")).with_body(wanted.to_string()))?;
        let id = answer["sessionId"].as_str().context("the driver gave no session")?;
        browser.session = format!("{address}/session/{id}");
        Ok(browser)
    }

    fn post(&self, what: &str, body: &Value) -> Result<Value> {
        send(minreq::post(format!("{}/{what}", self.session)).with_body(body.to_string()))
    }

    /// Opens a page from a file.
    pub fn load(&self, page: &Path) -> Result<()> {
        let address = format!("file://{}", page.display());
        self.post("url", &json!({ "url": address }))?;
        Ok(())
    }

    pub fn prefer(&self, scheme: Scheme) -> Result<()> {
        let value = if scheme == Scheme::Dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        let command = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } });
        self.post("goog/cdp/execute", &command)?;
        Ok(())
    }

    /// The value of a JavaScript expression.
    pub fn value(&self, expression: &str) -> Result<Value> {
        self.post("execute/sync", &json!({ "script": format!("return ({expression});"), "args": [] }))
    }

    /// Clicks on the middle of what a CSS selector finds first, as a mouse does.
    pub fn click(&self, selector: &str) -> Result<()> {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }))?;
        let id = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        let id = id.with_context(|| format!("no element is {selector}"))?;
        // Not below the page's bar, where the driver would scroll it.
        let centre = json!({ "script": "arguments[0].scrollIntoView({ block: 'center' });", "args": [found] });
        self.post("execute/sync", &centre)?;
        self.post(&format!("element/{id}/click"), &json!({}))?;
        Ok(())
    }

    /// Presses keys one after the other; names of keys that are no characters are those of WebDriver.
    pub fn press(&self, keys: &str) -> Result<()> {
        let each = |key: char| [("keyDown", key), ("keyUp", key)];
        let actions: Vec<Value> =
            keys.chars().flat_map(each).map(|(kind, key)| json!({ "type": kind, "value": key.to_string() })).collect();
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }))?;
        Ok(())
    }

    /// What the page wrote to the console since it was last asked, errors of the browser included.
    pub fn console(&self) -> Result<Vec<String>> {
        self.log("browser", |entry| Some(entry["message"].as_str()?.to_owned()))
    }

    /// Addresses that were asked for since that was last asked.
    pub fn requests(&self) -> Result<Vec<String>> {
        self.log("performance", |entry| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let is_request = message["method"] == "Network.requestWillBeSent";
            Some(message["params"]["request"]["url"].as_str().filter(|_| is_request)?.to_owned())
        })
    }

    fn log(&self, kind: &str, told: impl Fn(&Value) -> Option<String>) -> Result<Vec<String>> {
        let entries = self.post("se/log", &json!({ "type": kind }))?;
        Ok(entries.as_array().into_iter().flatten().filter_map(told).collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = minreq::delete(&self.session).with_timeout(PATIENCE).send();
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port a driver says it listens at.
fn port(driver: &mut Child) -> Result<u16> {
    let output = driver.stdout.take().context("the driver has no output")?;
    let mut lines = BufReader::new(output).lines();
    for line in lines.by_ref() {
        let line = line?;
        if let Some((_, port)) = line.trim_end_matches('.').rsplit_once("on port ")
            // Before it listens it says what it was asked for: any port.
            && let Ok(port @ 1..) = port.parse::<u16>()
        {
            // It must not find its output closed later.
            std::thread::spawn(move || lines.for_each(drop));
            return Ok(port);
        }
    }
    bail!("the driver ended without listening")
}

fn send(request: minreq::Request) -> Result<Value> {
    let response = request.with_header("Content-Type", "application/json").with_timeout(PATIENCE).send()?;
    let mut body: Value = serde_json::from_str(response.as_str()?)?;
    let value = body["value"].take();
    if response.status_code != 200 {
        bail!("{}: {}", value["error"].as_str().unwrap_or("error"), value["message"].as_str().unwrap_or(""));
    }
    Ok(value)
}
